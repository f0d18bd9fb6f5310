import type { View } from '@rowhouse/contract/view.ts';
import { Palette } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Popover } from '../../ui/popover.tsx';
import { coverHues, coverStyle, FormCover } from './form-cover.tsx';
import { formOptions } from './form-parts.ts';

export const CoverChoice = ({ view, onColor }: { view: View; onColor: (color: string | null) => void }) => {
  const chosen = formOptions(view).coverColor ?? null;
  return (
    <div className="relative">
      <FormCover view={view} />
      <div className={chosen === null ? 'px-5 pt-5 sm:px-8' : 'absolute right-3 bottom-3'}>
        <Popover
          label="Cover"
          trigger={
            <Button size="small" icon={<Palette size={15} />}>
              {chosen === null ? 'Add a cover' : 'Cover'}
            </Button>
          }
        >
          <div role="group" aria-label="Cover colour" className="grid w-60 grid-cols-5 gap-2">
            {coverHues.map((hue) => (
              <button
                key={hue}
                type="button"
                aria-label={hue}
                aria-pressed={chosen === hue}
                title={hue}
                onClick={() => onColor(hue)}
                className={classNames(
                  'h-9 rounded-lg',
                  chosen === hue && 'ring-2 ring-accent ring-offset-2 ring-offset-raised',
                )}
                style={coverStyle(hue)}
              />
            ))}
            <Button
              size="small"
              look="ghost"
              className="col-span-5"
              disabled={chosen === null}
              onClick={() => onColor(null)}
            >
              No cover
            </Button>
          </div>
        </Popover>
      </div>
    </div>
  );
};
