// The list of options that opens below the field it belongs to.
import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { OptionList } from './option-list.tsx';
import { floatClass } from './popover.tsx';

/** Inside of a Radix popover, beside its trigger. */
export const OptionPopover = (props: ComponentProps<typeof OptionList>) => (
  <Radix.Portal>
    <Radix.Content
      align="start"
      sideOffset={4}
      collisionPadding={8}
      aria-label={props.label}
      onOpenAutoFocus={(event) => event.preventDefault()}
      className={classNames(floatClass, 'min-w-[var(--radix-popover-trigger-width)] p-1.5')}
    >
      <OptionList {...props} />
    </Radix.Content>
  </Radix.Portal>
);
