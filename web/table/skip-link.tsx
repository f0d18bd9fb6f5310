// For people who use the keyboard: past the sidebar and the toolbar, to the records. It is seen when it has the focus.

const records = 'data-records';
/** On the element around what shows the records. */
export const recordsProps = { [records]: '' };

const focusable = '[role="grid"], canvas[tabindex], [tabindex="0"], a, button, input';

const goToRecords = (): void => {
  const around = document.querySelector(`[${records}]`);
  (
    around?.querySelector<HTMLElement>('[role="grid"], canvas') ?? around?.querySelector<HTMLElement>(focusable)
  )?.focus();
};

export const SkipLink = () => (
  <button
    type="button"
    onClick={goToRecords}
    className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:px-3 focus:py-1.5 focus:text-accent-ink"
  >
    Skip to the records
  </button>
);
