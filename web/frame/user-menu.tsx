import { signOutThere } from '@rowhouse/contract/identity.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  BookOpen,
  Building2,
  Keyboard,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  ServerCog,
  Sun,
  Trash2,
  UserRound,
} from 'lucide-react';
import { show } from '../app/palette-state.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { showProblem } from '../ui/toast.ts';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { ownOrganizationQuery } from '../app/own-organization.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { chooseTheme, type ThemeChoice } from '../ui/theme.ts';
import { useThemeChoice } from '../ui/use-theme.ts';

const themes: { choice: ThemeChoice; label: string; icon: typeof Sun }[] = [
  { choice: 'light', label: 'Light', icon: Sun },
  { choice: 'dark', label: 'Dark', icon: Moon },
  { choice: 'system', label: 'Same as system', icon: Monitor },
];

/** Asked for when the menu is opened. */
const OrganizationItem = () => {
  const router = useRouter();
  const { data } = useQuery(ownOrganizationQuery);
  if (data === null || data === undefined) return null;
  return (
    <MenuItem icon={<Building2 size={16} />} onSelect={() => void router.navigate({ to: '/organization' })}>
      {data.name}
    </MenuItem>
  );
};

export const UserMenu = () => {
  const me = useMe();
  const router = useRouter();
  const current = useThemeChoice();

  const leave = async (): Promise<void> => {
    try {
      const { url } = await call(signOutThere, {});
      queryClient.clear();
      queryClient.setQueryData(meKey, null);
      if (url === null) await router.navigate({ to: '/login', search: {} });
      else window.location.assign(url);
    } catch (error) {
      showProblem(error);
    }
  };

  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-label="Your account" className="rounded-full">
          <Avatar name={me.name} seed={me.id} picture={me.avatar} />
        </button>
      }
    >
      <MenuLabel>
        <span className="block text-[14px] font-medium text-ink">{me.name}</span>
        {me.email}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem icon={<UserRound size={16} />} onSelect={() => void router.navigate({ to: '/account' })}>
        Account
      </MenuItem>
      <MenuItem icon={<KeyRound size={16} />} onSelect={() => void router.navigate({ to: '/account/tokens' })}>
        Access tokens
      </MenuItem>
      <MenuItem icon={<Trash2 size={16} />} onSelect={() => void router.navigate({ to: '/trash' })}>
        Trash
      </MenuItem>
      <OrganizationItem />
      {me.isAdmin && (
        <MenuItem icon={<ServerCog size={16} />} onSelect={() => void router.navigate({ to: '/admin' })}>
          Administration
        </MenuItem>
      )}
      <MenuItem icon={<Keyboard size={16} />} onSelect={() => show('shortcuts')}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={<BookOpen size={16} />} onSelect={() => window.open('/api/docs', '_blank', 'noopener')}>
        API reference
      </MenuItem>
      <MenuSeparator />
      {themes.map(({ choice, label, icon: Icon }) => (
        <MenuItem key={choice} icon={<Icon size={16} />} onSelect={() => chooseTheme(choice)}>
          <span className="flex-1">{label}</span>
          {current === choice && <span className="text-[12px] text-accent">on</span>}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={16} />} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
};
