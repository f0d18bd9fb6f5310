// A text to search for, which counts when nothing was typed for a moment.
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { inputClass } from '../ui/text-field.tsx';

const pause = 250;

interface SearchBoxProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
}

export const SearchBox = ({ label, value, onValue }: SearchBoxProps) => {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  // Back and forward in the browser change what is searched for, too.
  useEffect(() => {
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      onValue(typed);
    }, pause);
    return () => clearTimeout(timer);
  });
  return (
    <div className="relative w-full sm:w-72">
      <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-ink-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        className={classNames(inputClass, 'pl-8.5')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
};
