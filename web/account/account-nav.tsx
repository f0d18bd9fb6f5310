import { Link } from '@tanstack/react-router';

const itemClass =
  'rounded-lg px-3 py-1.5 font-medium text-ink-soft hover:bg-sunken hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent';

export const AccountNav = () => (
  <nav aria-label="Account" className="mb-6 flex flex-wrap gap-1">
    <Link to="/account" activeOptions={{ exact: true }} className={itemClass}>
      Profile
    </Link>
    <Link to="/account/tokens" className={itemClass}>
      Access tokens
    </Link>
    <Link to="/account/apps" className={itemClass}>
      OAuth applications
    </Link>
    <Link to="/account/authorized" className={itemClass}>
      Authorised applications
    </Link>
  </nav>
);
