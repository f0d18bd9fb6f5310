// Where a file to import is dropped or chosen.
import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { importableNames } from './importable.ts';

export const FileDrop = ({
  problem,
  progress,
  onFile,
}: {
  problem: string | undefined;
  progress: number | undefined;
  onFile: (file: File) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <div
      className={`flex flex-col items-center gap-3 rounded-xl border border-dashed p-8 ${isOver ? 'border-accent bg-sunken' : 'border-line-strong'}`}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
    >
      <FileUp size={28} className="text-ink-faint" aria-hidden />
      <p className="text-ink-soft">Drop a CSV, TSV, Excel or JSON file here</p>
      <input
        ref={input}
        type="file"
        aria-label="File to import"
        accept={importableNames}
        className="sr-only"
        onChange={(event) => event.target.files?.[0] !== undefined && onFile(event.target.files[0])}
      />
      <Button busy={progress !== undefined} onClick={() => input.current?.click()}>
        {progress === undefined ? 'Choose a file' : `Uploading: ${Math.round(progress * 100)} %`}
      </Button>
      {problem !== undefined && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  );
};
