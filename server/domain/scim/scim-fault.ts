// Faults and answers as RFC 7644 writes them.
import { ApiError } from '@rowhouse/contract/error.ts';
import { Answer } from '../../endpoint/route.ts';

type ScimType =
  | 'invalidFilter'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'uniqueness'
  | 'mutability';

export class ScimFault extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, message: string, scimType?: ScimType) {
    super(message);
    this.name = 'ScimFault';
    this.status = status;
    this.scimType = scimType;
  }
}

const headers = { 'content-type': 'application/scim+json; charset=utf-8', 'cache-control': 'no-store' };

export const scimAnswer = (status: number, body: object, more: Record<string, string> = {}): Answer =>
  new Answer({ status, headers: { ...headers, ...more }, text: JSON.stringify(body), mayShowFiles: false });

export const noContent = (): Answer => new Answer({ status: 204 });

/** Undefined for what is a fault of the server. */
export const faultAnswer = (error: unknown): Answer | undefined => {
  const known =
    error instanceof ScimFault
      ? error
      : error instanceof ApiError && error.status < 500
        ? new ScimFault(
            // What a plan does not have is no number that directories know.
            ['payment_required', 'user_limit_exceeded'].includes(error.code) ? 403 : error.status,
            error.message,
            error.code === 'conflict' ? 'uniqueness' : error.status === 400 ? 'invalidValue' : undefined,
          )
        : undefined;
  if (known === undefined) return undefined;
  return scimAnswer(
    known.status,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(known.status),
      ...(known.scimType === undefined ? {} : { scimType: known.scimType }),
      detail: known.message,
    },
    known.status === 401 ? { 'www-authenticate': 'Bearer' } : {},
  );
};

/** `all`: what a page is taken of is counted already. */
export const listAnswer = (resources: readonly object[], total: number, startIndex: number): Answer =>
  scimAnswer(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
