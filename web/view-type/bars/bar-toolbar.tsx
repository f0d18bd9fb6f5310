import { CalendarOff, Image, Minus, Plus } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { levelOf, levels, steppedScale } from './scale.ts';
import type { TimePort } from './use-time-port.ts';

interface BarToolbarProps {
  time: TimePort;
  now: number;
  /** Absent: there is no such list. */
  undated: { isOpen: boolean; onToggle: () => void } | undefined;
  onPicture: () => void;
  children?: React.ReactNode;
}

export const BarToolbar = ({ time, now, undated, onPicture, children }: BarToolbarProps) => (
  <div className="flex flex-wrap items-center gap-1.5 bg-surface px-3 py-2 print:hidden">
    <Button size="small" onClick={() => time.goTo(now)}>
      Today
    </Button>
    <IconButton label="Zoom out" onClick={() => time.zoomTo(steppedScale(time.pxPerDay, -1))}>
      <Minus size={16} />
    </IconButton>
    <SelectField
      label="Zoom"
      hideLabel
      className="w-28"
      value={levelOf(time.pxPerDay).value}
      options={levels.map(({ value, label }) => ({ value, label }))}
      onValue={(value) => {
        const level = levels.find((one) => one.value === value);
        if (level !== undefined) time.zoomTo(level.pxPerDay);
      }}
    />
    <IconButton label="Zoom in" onClick={() => time.zoomTo(steppedScale(time.pxPerDay, 1))}>
      <Plus size={16} />
    </IconButton>
    {children}
    <span className="flex-1" />
    <IconButton label="Save as a picture" onClick={onPicture}>
      <Image size={17} />
    </IconButton>
    {undated !== undefined && (
      <Button
        size="small"
        look="ghost"
        aria-pressed={undated.isOpen}
        className={undated.isOpen ? 'bg-accent-soft! text-accent!' : ''}
        icon={<CalendarOff size={15} />}
        onClick={undated.onToggle}
      >
        No date
      </Button>
    )}
  </div>
);
