import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { productsQuery } from './queries.ts';
import { isUnlimited } from './plan-words.ts';

const itemClass =
  'rounded-lg px-3 py-1.5 font-medium text-ink-soft hover:bg-sunken hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent';

/** The pages of a space, for its owners: others have only the first. */
export const SpaceNav = ({ spaceId }: { spaceId: string }) => {
  const hasPlans = useQuery(productsQuery).data?.some(({ limit }) => !isUnlimited(limit)) === true;
  return (
    <nav aria-label="Space" className="mb-6 flex flex-wrap gap-1">
      <Link to="/space/$spaceId" params={{ spaceId }} activeOptions={{ exact: true }} className={itemClass}>
        Bases and people
      </Link>
      <Link to="/space/$spaceId/plan" params={{ spaceId }} className={itemClass}>
        {hasPlans ? 'Plan and usage' : 'Usage'}
      </Link>
      <Link to="/space/$spaceId/shares" params={{ spaceId }} className={itemClass}>
        Share links
      </Link>
      <Link to="/space/$spaceId/audit" params={{ spaceId }} className={itemClass}>
        Audit log
      </Link>
    </nav>
  );
};
