// The content of a comment: what of a request is stored, and whom and what it mentions.
import type { CommentBlock, CommentInline } from '@rowhouse/contract/comment.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';

export type StoredContent = CommentBlock[];

const longest = 100_000;

const safeUrl = /^(https?:\/\/|mailto:|tel:)/i;

/** The form of paths that files have; see domain/file/file.ts. */
const imagePath = /^table\/(att[0-9A-Za-z]{21})(\.image)?$/;

export const tokenOf = (path: string): string | undefined => imagePath.exec(path)?.[1];

/** PostgreSQL stores neither in JSON. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const readInline = (part: CommentInline, path: string): CommentInline => {
  switch (part.type) {
    case 'span':
      return { type: 'span', value: storable(part.value) };
    case 'mention':
      if (!isId('usr', part.value) && !isId('fld', part.value) && !isId('rec', part.value)) {
        throw invalid({
          path: `${path}.value`,
          message: 'This is not the id of anything that can be mentioned',
          expected: 'the id of a person, of a field or of a record',
        });
      }
      return { type: 'mention', value: part.value };
    case 'a':
      if (!safeUrl.test(part.url))
        throw invalid({
          path: `${path}.url`,
          message: 'A comment cannot link to this address',
          expected: 'an address that begins with http://, https://, mailto: or tel:',
        });
      return { type: 'a', url: storable(part.url), title: storable(part.title) };
  }
};

const readBlock = (block: CommentBlock, path: string): CommentBlock => {
  if (block.type === 'p')
    return { type: 'p', children: block.children.map((part, at) => readInline(part, `${path}.children[${at}]`)) };
  if (tokenOf(block.path) === undefined)
    throw invalid({
      path: `${path}.path`,
      message: 'This is not the path of an uploaded file',
      expected: '`path` as POST /attachments/notify answered it',
    });
  return { type: 'img', path: block.path, ...(block.width === undefined ? {} : { width: block.width }) };
};

/** Without what answers add: names, pictures, addresses. */
export const readContent = (content: readonly CommentBlock[]): StoredContent => {
  const read = content.map((block, at) => readBlock(block, `content[${at}]`));
  const size = Buffer.byteLength(JSON.stringify(read));
  if (size > longest)
    throw invalid({
      path: 'content',
      message: `A comment has at most ${longest} bytes as JSON, this one has ${size}`,
      expected: 'a shorter comment',
    });
  return read;
};

const mentionsIn = (content: StoredContent): string[] =>
  content.flatMap((block) =>
    block.type === 'p' ? block.children.flatMap((part) => (part.type === 'mention' ? [part.value] : [])) : [],
  );

export interface Mentions {
  people: string[];
  fields: string[];
  records: string[];
  /** Tokens of images. */
  files: string[];
}

export const mentionsOf = (contents: readonly StoredContent[]): Mentions => {
  const mentioned = [...new Set(contents.flatMap(mentionsIn))];
  const paths = contents.flat().flatMap((block) => (block.type === 'img' ? [tokenOf(block.path) ?? ''] : []));
  return {
    people: mentioned.filter((id) => isId('usr', id)),
    fields: mentioned.filter((id) => isId('fld', id)),
    records: mentioned.filter((id) => isId('rec', id)),
    files: [...new Set(paths)].filter((token) => token !== ''),
  };
};
