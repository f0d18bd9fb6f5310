// The frame of every signed-in page. It leaves for the sign-in page as soon as the session is gone.
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PaletteKeys } from '../palette/palette-keys.tsx';
import { ConnectionBanner } from '../app/connection-banner.tsx';
import { meQuery } from '../app/me.ts';
import { VerifyBanner } from '../app/verify-banner.tsx';

export const Shell = () => {
  const router = useRouter();
  const me = useQuery(meQuery).data;

  useEffect(() => {
    if (me === null) void router.navigate({ to: '/login', search: { redirect: router.state.location.href } });
  }, [me, router]);

  if (me === null || me === undefined) return null;
  return (
    <div className="flex h-full flex-col">
      <ConnectionBanner />
      <VerifyBanner />
      <Outlet />
      <PaletteKeys />
    </div>
  );
};
