// One or several on either side of a link, in the words of the server and back.
import type { Relationship } from '@rowhouse/contract/field.ts';

interface Sides {
  /** A record of this table links to several. */
  hereSeveral: boolean;
  /** A record of the other table is linked from several. */
  thereSeveral: boolean;
}

export const sidesOf = (relationship: Relationship): Sides => ({
  hereSeveral: relationship === 'oneMany' || relationship === 'manyMany',
  thereSeveral: relationship === 'manyOne' || relationship === 'manyMany',
});

export const relationshipOf = ({ hereSeveral, thereSeveral }: Sides): Relationship =>
  hereSeveral ? (thereSeveral ? 'manyMany' : 'oneMany') : thereSeveral ? 'manyOne' : 'oneOne';
