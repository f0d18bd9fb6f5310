export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden className="shrink-0">
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path
      d="M5 25V15.5l4.5-4 4.5 4V25zM14 25V10.5l4.5-4 4.5 4V25zM23 25V15.5l2-1.8 2 1.8V25z"
      className="fill-accent-ink"
    />
    <path d="M8.5 17.5h2v2.5h-2zM17.5 13h2v2.5h-2zM17.5 18.5h2V21h-2z" className="fill-accent" />
  </svg>
);
