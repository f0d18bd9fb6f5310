import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { showToast } from './toast.ts';

export const CopyButton = ({ text, label = 'Copy' }: { text: string; label?: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      showToast({
        kind: 'problem',
        title: 'The browser did not allow copying.',
        detail: 'Select the text and copy it by hand.',
      });
    }
  };
  return (
    <Button size="small" icon={copied ? <Check size={15} /> : <Copy size={15} />} onClick={() => void copy()}>
      {copied ? 'Copied' : label}
    </Button>
  );
};
