/** A tab of a panel. */
export const tabClass =
  'rounded-t border-b-2 border-transparent px-1 pb-2 font-medium text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink';
