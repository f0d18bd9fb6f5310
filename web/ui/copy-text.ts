import { showToast } from './toast.ts';

/** Puts it on the clipboard, and says so. */
export const copyText = async (text: string, said: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'note', title: said });
  } catch {
    showToast({ kind: 'problem', title: 'The browser did not allow copying.', detail: text });
  }
};
