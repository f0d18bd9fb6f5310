// Tables down, roles across: what each role may in each table. A cell opens what it stands for.
import type { ReactNode } from 'react';
import { summaryOf } from './grant-words.ts';
import type { AuthorityRole } from './queries.ts';

interface RoleGridProps {
  tables: readonly { id: string; name: string }[];
  roles: readonly AuthorityRole[];
  defaultRole: string | undefined;
  menuOf: (role: AuthorityRole) => ReactNode;
  onMembers: (role: AuthorityRole) => void;
  onCell: (role: AuthorityRole, table: { id: string; name: string }) => void;
}

const membersOf = ({ users = [], departments = [] }: AuthorityRole): string => {
  const parts = [
    ...(users.length === 0 ? [] : [`${users.length} ${users.length === 1 ? 'person' : 'people'}`]),
    ...(departments.length === 0 ? [] : [`${departments.length} ${departments.length === 1 ? 'group' : 'groups'}`]),
  ];
  return parts.length === 0 ? 'Nobody yet' : parts.join(', ');
};

const Cell = ({
  role,
  table,
  onOpen,
}: {
  role: AuthorityRole;
  table: { id: string; name: string };
  onOpen: () => void;
}) => {
  const granted = role.tables.find(({ tableId }) => tableId === table.id);
  const isThere = granted !== undefined && granted.enabledTime !== undefined;
  const { title, details } = summaryOf(granted?.grants ?? []);
  return (
    <button
      type="button"
      aria-label={`${role.name} in ${table.name}: ${isThere ? [title, ...details].join(', ') : 'hidden'}`}
      onClick={onOpen}
      className="flex min-h-12 w-full flex-col items-start justify-center rounded-lg px-3 py-1.5 text-left hover:bg-sunken focus-visible:bg-sunken"
    >
      {isThere ? (
        <>
          <span className="font-medium">{title}</span>
          {details.length > 0 && <span className="text-[13px] text-ink-soft">{details.join(', ')}</span>}
        </>
      ) : (
        <span className="text-ink-faint">Hidden</span>
      )}
    </button>
  );
};

export const RoleGrid = ({ tables, roles, defaultRole, menuOf, onMembers, onCell }: RoleGridProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
  <div className="-mx-5 overflow-x-auto sm:-mx-6" tabIndex={0} role="group" aria-label="What roles may do in tables">
    <table className="w-full border-separate border-spacing-0">
      <thead>
        <tr>
          <th scope="col" className="sticky left-0 z-10 min-w-32 bg-surface px-5 py-2 text-left align-bottom sm:px-6">
            <span className="text-[13px] font-medium text-ink-soft">Table</span>
          </th>
          {roles.map((role) => (
            <th key={role.id} scope="col" className="min-w-44 px-3 py-2 text-left align-bottom font-normal">
              <div className="flex items-start gap-1">
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-semibold">{role.name}</span>
                  <span className="block text-[13px] text-ink-soft">
                    {[
                      ...(role.enabledTime === undefined ? ['Off'] : []),
                      ...(role.id === defaultRole ? ['Default'] : []),
                    ].join(', ')}
                  </span>
                  <button
                    type="button"
                    className="text-[13px] text-accent underline-offset-2 hover:underline"
                    aria-label={`Who is ${role.name}: ${membersOf(role)}`}
                    onClick={() => onMembers(role)}
                  >
                    {membersOf(role)}
                  </button>
                </span>
                {menuOf(role)}
              </div>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tables.map((table) => (
          <tr key={table.id}>
            <th
              scope="row"
              className="sticky left-0 z-10 max-w-48 truncate border-t border-line bg-surface px-5 py-2 text-left font-medium sm:px-6"
            >
              {table.name}
            </th>
            {roles.map((role) => (
              <td key={role.id} className="border-t border-line p-1">
                <Cell role={role} table={table} onOpen={() => onCell(role, table)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
