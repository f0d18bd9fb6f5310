// Where something in a list goes when it is dragged or moved by a key.
type Side = 'before' | 'after';

export interface Destination {
  anchorId: string;
  position: Side | 'into';
}

/** One place up or down; undefined at the end of the list. */
export const stepped = (
  ids: readonly string[],
  id: string,
  by: -1 | 1,
): (Destination & { position: Side }) | undefined => {
  const anchorId = ids[ids.indexOf(id) + by];
  return anchorId === undefined ? undefined : { anchorId, position: by === -1 ? 'before' : 'after' };
};

export const reordered = (ids: readonly string[], id: string, anchorId: string, position: Side): string[] => {
  const others = ids.filter((one) => one !== id);
  const at = others.indexOf(anchorId);
  return at < 0 ? [...ids] : others.toSpliced(position === 'before' ? at : at + 1, 0, id);
};

/** A list with one of its items put beside another. */
export const inOrder = <T extends { id: string }>(
  items: readonly T[],
  id: string,
  to: Destination & { position: Side },
): T[] => {
  const ids = reordered(
    items.map((one) => one.id),
    id,
    to.anchorId,
    to.position,
  );
  return items.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
};

/** Of the pointer over an item: the nearer edge, or its middle if things can be put into it. */
export const sideOf = (offset: number, size: number, takesIn: boolean): Destination['position'] => {
  if (takesIn && offset > size / 4 && offset < (size * 3) / 4) return 'into';
  return offset < size / 2 ? 'before' : 'after';
};
