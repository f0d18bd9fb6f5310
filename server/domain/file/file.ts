// What the server knows of an uploaded file, and how its place is written.
export interface FileFacts {
  token: string;
  size: number;
  mimetype: string;
  /** Null: nobody has told one. */
  name: string | null;
  /** Of images that were understood. */
  width: number | null;
  height: number | null;
}

const tokenForm = /\batt[0-9A-Za-z]{21}\b/g;

export const fileTokens = (text: string): string[] => text.match(tokenForm) ?? [];

/** Images have thumbnails; their paths tell so. */
export const pathOf = ({ token, width }: Pick<FileFacts, 'token' | 'width'>): string =>
  `table/${token}${width === null ? '' : '.image'}`;
