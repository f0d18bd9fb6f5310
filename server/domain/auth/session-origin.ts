// Through which sign-in at a provider somebody came in: kept with the session, so that the provider can end it.

export interface SessionOrigin {
  issuer: string;
  subject: string;
  /** Of the session there; null when the provider names none. */
  sid: string | null;
  /** Shown to the provider when somebody signs out there too; null when they do not, or when it is too long to keep. */
  sealedIdToken: Buffer | null;
  /** Seconds since 1970, by the clock of the provider. */
  issuedAt: number;
}

type Stored = Omit<SessionOrigin, 'sealedIdToken'> & { sealedIdToken: string | null };

export const storedOrigin = (origin: SessionOrigin | null): Stored | null =>
  origin === null ? null : { ...origin, sealedIdToken: origin.sealedIdToken?.toString('base64') ?? null };

export const readOrigin = (stored: Stored | null): SessionOrigin | null =>
  stored === null
    ? null
    : {
        ...stored,
        sealedIdToken: stored.sealedIdToken === null ? null : Buffer.from(stored.sealedIdToken, 'base64'),
      };
