import { Link } from '@tanstack/react-router';

const itemClass = 'shrink-0 rounded-lg px-3 py-1.5 font-medium text-ink-soft hover:bg-sunken hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent';

export const AccountNav = () => (
  <nav aria-label="Account" className="-mx-4 mb-6 flex gap-1 overflow-x-auto px-4 py-0.5 sm:mx-0 sm:px-0">
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
