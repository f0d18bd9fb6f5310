import type { ComponentProps } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';

/** In place of a view that the table has no field for. */
export const MissingField = (props: ComponentProps<typeof EmptyState>) => (
  <div className="mx-auto w-full max-w-lg flex-1 self-center p-6">
    <EmptyState {...props} />
  </div>
);
