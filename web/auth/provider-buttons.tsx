// Ways to sign in that lead through another page. They are links: the browser leaves the app.
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { signInOptionsQuery } from '../app/me.ts';

export const ProviderButtons = ({ wanted }: { wanted: string | undefined }) => {
  const providers = useQuery(signInOptionsQuery).data?.providers ?? [];
  if (providers.length === 0) return null;
  const query = wanted === undefined ? '' : `?${new URLSearchParams({ redirect: wanted })}`;
  return (
    <>
      <ul aria-label="Other ways to sign in" className="flex flex-col gap-2">
        {providers.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`/api/auth/oidc/${id}${query}`}
              className="inline-flex h-11 w-full items-center justify-center gap-2 rounded-lg border border-line-strong bg-surface px-5 text-[15px] font-medium text-ink shadow-card hover:bg-sunken"
            >
              <KeyRound size={17} className="shrink-0" aria-hidden />
              <span className="truncate">Continue with {name}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="my-4 flex items-center gap-3 text-[13px] text-ink-faint" aria-hidden>
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  );
};
