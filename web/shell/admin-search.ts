// What the addresses of the pages for administrators say beside their path.

const textIn = (search: Record<string, unknown>, name: string): string | undefined =>
  typeof search[name] === 'string' || typeof search[name] === 'number' ? String(search[name]) : undefined;

const pageIn = ({ page }: Record<string, unknown>): number | undefined =>
  Number.isSafeInteger(page) && (page as number) > 1 ? (page as number) : undefined;

interface PeopleSearch {
  search?: string | undefined;
  /** Which people: the page knows the words. */
  state?: string | undefined;
  page?: number | undefined;
}

export const peopleSearch = (search: Record<string, unknown>): PeopleSearch => ({
  search: textIn(search, 'search'),
  state: textIn(search, 'state'),
  page: pageIn(search),
});

interface SpacesSearch {
  search?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  of?: 'bases' | undefined;
}

export const spacesSearch = (search: Record<string, unknown>): SpacesSearch => ({
  search: textIn(search, 'search'),
  sort: textIn(search, 'sort'),
  page: pageIn(search),
  of: search['of'] === 'bases' ? 'bases' : undefined,
});

interface AuditSearch {
  /** Only what this person did. */
  user?: string | undefined;
  /** Only what is about the thing of this id. */
  about?: string | undefined;
}

export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  user: textIn(search, 'user'),
  about: textIn(search, 'about'),
});
