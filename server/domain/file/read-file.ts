// GET /attachments/read/:bucket/:folder/:file. What people upload is shown to other people's browsers: it never runs there
// as a page of this server (sandbox), is taken for what it says (nosniff), and types that could do anything are saved.
import type { IncomingHttpHeaders } from 'node:http';
import type { readAttachment as endpoint } from '@rowhouse/contract/attachment.ts';
import type { ParamsOf, QueryOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import { rulesKey } from '../../catalog/bound.ts';
import { Answer, StreamAnswer } from '../../endpoint/route.ts';
import type { PublicContext } from '../../context.ts';
import { servedType } from './content-type.ts';
import { demandResult } from './demand-result.ts';
import type { FileFacts } from './file.ts';
import { selectFile } from './file.sql.ts';
import { publicFolders } from './public-file.ts';
import { selectPublicFiles, selectPublicToken } from './public-file.sql.ts';
import { selectShareVersion, selectStanding } from './bearer.sql.ts';
import { thumbnailOf } from './image.ts';
import { bearerOf, markOfRules, visitorRules } from './person-address.ts';
import { readRange } from './range.ts';

/** Browsers show these themselves, and nothing in them can act. SVG can, which the sandbox keeps from it. */
const shownInline =
  /^(image\/(png|jpeg|gif|webp|bmp|avif|x-icon|svg\+xml)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)$/;

/** RFC 5987: everything but letters, digits and a few signs is encoded. */
const encodedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const nameIn = (disposition: string): string | undefined => {
  const [, encoded] = /filename\*=(?:UTF-8)?''([^;]+)/i.exec(disposition) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded.trim());
  } catch {
    // Not encoded after all.
  }
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1];
};

/** `isElsewhere`: a bucket serves it, without a sandbox. There an SVG could act as a page of the bucket; pictures of pages show it all the same. */
const dispositionOf = (
  { name, token }: FileFacts,
  mimetype: string,
  asked: string | undefined,
  isElsewhere: boolean,
): string => {
  const mayBe = shownInline.test(mimetype) && !(isElsewhere && mimetype === 'image/svg+xml');
  const isInline = mayBe && (asked === undefined || /^\s*inline/i.test(asked));
  return `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodedName((asked === undefined ? undefined : nameIn(asked)) ?? name ?? token)}`;
};

/**
 * Nothing that people upload acts as a page of this server. Viewers of PDF that come with browsers do not run in a sandbox, and keep what is
 * in a PDF away from pages by themselves: the app shows it in a frame.
 */
const policyOf = (type: string): Record<string, string> =>
  type === 'application/pdf'
    ? {
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
        'x-frame-options': 'SAMEORIGIN',
      }
    : {
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox",
      };

const notThere = (): ApiError => new ApiError('not_found', 'There is no such file');

/** Who somebody is does not show in it: anyone may ask. */
const nobody = (userId: string): Answer => {
  const hue = [...userId].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 360, 7);
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" fill="hsl(${hue} 45% 55%)"/><g fill="#fff" fill-opacity=".85"><circle cx="32" cy="25" r="12"/><path d="M10 60c0-13 10-20 22-20s22 7 22 20v4H10z"/></g></svg>`;
  return new Answer({
    text,
    mayShowFiles: false,
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      ...policyOf('image/svg+xml'),
    },
  });
};

interface Named {
  token: string;
  isPublic: boolean;
  /** The address was made for somebody whom rules bind. */
  isPersonal?: true;
}

/** They still see the base by the rules that the address was made by, or all of it. */
const isStillTheirs = async (context: PublicContext, token: string, signature: string): Promise<boolean> => {
  const bearer = bearerOf(context, token, signature);
  if (bearer?.userId.startsWith('shr') === true) {
    const version = await selectShareVersion(context.db, bearer);
    return version !== undefined && markOfRules(context, visitorRules(bearer.userId, version)) === bearer.mark;
  }
  const standing = bearer === undefined ? undefined : await selectStanding(context.db, bearer);
  if (bearer === undefined || standing === undefined) return false;
  const { spaceRole, baseRole, bound } = standing;
  if (spaceRole === null && baseRole === null) return false;
  if (bound === null || spaceRole === 'owner') return true;
  return markOfRules(context, rulesKey(bearer.baseId, bound)) === bearer.mark;
};

const findNamed = async (
  context: PublicContext,
  { bucket, folder, file }: ParamsOf<typeof endpoint>,
  signature: string | undefined,
): Promise<Named | undefined> => {
  const { db, files } = context;
  const token = file.replace(/\.image$/, '');
  if (bucket === 'public' && folder === 'avatar' && isId('usr', file)) {
    const shown = await selectPublicToken(db, file);
    return shown === undefined ? undefined : { token: shown, isPublic: true };
  }
  if (bucket === 'public' && publicFolders.some((one) => one === folder)) {
    if ((await selectPublicFiles(db, [token])).length === 0) throw notThere();
    return { token, isPublic: true };
  }
  if (bucket !== 'private' || folder !== 'table') throw notThere();
  if (signature !== undefined && (await isStillTheirs(context, token, signature)))
    return { token, isPublic: false, isPersonal: true };
  if (signature === undefined || !files.isSigned(token, signature)) {
    throw invalid({
      path: 'query.token',
      message: 'The address is not signed, or has expired',
      expected: 'an address as the server gives it: read the record again',
    });
  }
  return { token, isPublic: false };
};

/** How long browsers may show it again without asking. */
interface Serving {
  cacheControl: string;
  /** Seconds for which the address at the storage is good, where clients read there. */
  lasts?: number;
  thumbnail: 'sm' | 'lg' | undefined;
  disposition: string | undefined;
}

/** The bytes, to somebody who may have them. */
export const serveFile = async (
  { db, files }: PublicContext,
  token: string,
  serving: Serving,
  headers: IncomingHttpHeaders,
): Promise<StreamAnswer | Answer> => {
  const found = await selectFile(db, token);
  if (found === undefined || !found.isNotified) throw notThere();
  const thumbnail =
    serving.thumbnail === undefined ? undefined : await thumbnailOf(files.storage, found, serving.thumbnail);
  const { key, size, mimetype } = thumbnail ?? { key: token, size: found.size, mimetype: servedType(found.mimetype) };
  const essence = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  const { direct } = files.storage;
  const disposition = dispositionOf(found, essence, serving.disposition, direct !== undefined);
  if (direct !== undefined) {
    return new Answer({
      status: 302,
      headers: {
        location: direct.readUrl(key, mimetype, disposition, serving.lasts),
        'cache-control': serving.lasts === undefined ? 'private, max-age=600' : 'no-store',
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
  }
  const etag = `"${key}"`;
  const shared = {
    etag,
    'cache-control': serving.cacheControl,
    ...policyOf(essence),
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (
    headers['if-none-match']
      ?.split(',')
      .some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') === true
  )
    return new Answer({ status: 304, headers: shared });
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? readRange(headers.range, size) : undefined;
  if (range === null) return new Answer({ status: 416, headers: { ...shared, 'content-range': `bytes */${size}` } });
  const { first, last } = range ?? { first: 0, last: size - 1 };
  return new StreamAnswer(
    files.storage.read(key, first, last),
    {
      ...shared,
      'content-type': mimetype,
      'content-length': String(last - first + 1),
      'accept-ranges': 'bytes',
      'content-disposition': disposition,
      ...(range === undefined ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }),
    },
    range === undefined ? undefined : 206,
  );
};

/** Seconds for which the storage answers to an address that is decided about at each read. */
const shortly = 60;

export const readAttachment = async (
  context: PublicContext,
  params: ParamsOf<typeof endpoint>,
  query: QueryOf<typeof endpoint>,
  headers: IncomingHttpHeaders,
): Promise<StreamAnswer | Answer> => {
  const named = await findNamed(context, params, query.token);
  if (named === undefined) return nobody(params.file);
  const { token, isPublic, isPersonal = false } = named;
  const { jobId = null } = isPublic ? {} : ((await selectFile(context.db, token)) ?? {});
  if (jobId !== null) await demandResult(context.db, jobId);
  const serving: Serving = {
    // A person has one address whichever picture it shows.
    cacheControl: isPublic
      ? 'public, max-age=300'
      : jobId !== null
        ? 'no-store'
        : isPersonal
          ? 'private, max-age=300'
          : 'private, max-age=86400, immutable',
    ...(jobId === null && !isPersonal ? {} : { lasts: shortly }),
    // Pictures of people are shown small.
    thumbnail: query.size ?? (isPublic ? 'lg' : undefined),
    disposition: query['response-content-disposition'],
  };
  return serveFile(context, token, serving, headers);
};
