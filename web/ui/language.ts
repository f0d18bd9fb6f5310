// The language of the browser. What a browser tells is not always one that Intl knows, such as `en-US@posix` where the system has none: read as far as it goes.
export const usableLanguage = (told: string | undefined): string | undefined => {
  const tag = told?.replace(/[@.].*$/, '').replaceAll('_', '-');
  if (tag === undefined || tag === '') return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
};

/** Undefined: whatever Intl takes by itself. */
export const browserLanguage = (): string | undefined =>
  usableLanguage(typeof navigator === 'undefined' ? undefined : navigator.language);
