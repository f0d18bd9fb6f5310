// Addresses of some domains may not have an account here, such as those that anybody gets for ten minutes.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../../db/db.ts';
import { selectDecisions } from './setting.sql.ts';

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** A domain stands for what is below it, too. */
const isWithin = (domain: string, refused: string): boolean => domain === refused || domain.endsWith(`.${refused}`);

/** Before anything is mailed there. `path` names the address in the request; with several its place follows. */
export const demandTakenDomains = async (db: Queryable, emails: readonly string[], path: string): Promise<void> => {
  const { refusedEmailDomains } = await selectDecisions(db);
  if (refusedEmailDomains.length === 0) return;
  const issues = emails.flatMap((email, at) =>
    refusedEmailDomains.some((refused) => isWithin(domainOf(email), refused))
      ? [
          {
            path: path.replace('[]', `[${at}]`),
            message: `Addresses at ${domainOf(email)} are not taken here; use another one`,
          },
        ]
      : [],
  );
  if (issues.length > 0) throw invalid(issues);
};
