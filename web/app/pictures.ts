// Pictures of people, as far as lists of them were read. A cell names an address for everybody, also for those who have no picture.
const pictures = new Map<string, string>();

export const notePictures = (people: readonly { id: string; avatar: string | null }[]): void => {
  for (const { id, avatar } of people) {
    if (avatar === null) pictures.delete(id);
    else pictures.set(id, avatar);
  }
};

/** Undefined: the initials are shown. */
export const pictureOf = (userId: string): string | undefined => pictures.get(userId);
