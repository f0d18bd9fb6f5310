// What a share shows and allows: a part of its view.
import { type Static, Type } from 'typebox';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const moment = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 50, description }), Type.Null()]));

/** Shown in place of a password. Sent back, it means: the one there is. */
export const hiddenPassword = '********';

/**
 * In seconds: for so long the addresses of files that a share gives stay the same, and they are good for twice as long at most. Pages that stay open
 * read their records again before that.
 */
export const shareFileSeconds = 1_200;

export const ShareMeta = Type.Object({
  allowCopy: flag('Visitors may copy cells.'),
  includeHiddenField: flag('Also the fields that the view hides.'),
  password: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 128,
      description: `Asked for before anything is shown. Only its hash is kept; \`${hiddenPassword}\` stands for the one that is set.`,
    }),
  ),
  includeRecords: flag('Show records. Without it there is only the form.'),
  submit: Type.Optional(
    Type.Object({
      allow: flag('Visitors may submit the form.'),
      requireLogin: flag('Only people with an account may.'),
      closesTime: moment('No answers are taken from then on; ISO 8601.'),
      maxAnswers: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
          description: 'No more answers than these.',
        }),
      ),
      onePerPerson: flag('One answer per account with `requireLogin`, per browser without.'),
      redirectUrl: Type.Optional(
        Type.Union([Type.String({ maxLength: 2_000, pattern: '^https://[^\\s/]' }), Type.Null()], {
          description: 'Where to go after an answer, https only; the thank-you page of the form when absent.',
        }),
      ),
      confirmFieldId: Type.Optional(
        Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
          description: 'A text field of the form. If its answer is an e-mail address, a confirmation is sent there.',
        }),
      ),
    }),
  ),
  expiresTime: moment('The link ends then; ISO 8601.'),
  frameAncestors: Type.Optional(
    Type.Array(Type.String({ maxLength: 255, pattern: '^(\\*|https?://[A-Za-z0-9.*:-]+)$' }), {
      maxItems: 20,
      description:
        'Sites that may show the page inside of theirs: `https://example.com`, or `*` for all. None when absent.',
    }),
  ),
});
export type ShareMeta = Static<typeof ShareMeta>;
