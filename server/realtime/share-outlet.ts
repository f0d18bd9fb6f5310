// Events as visitors of a share get them: without who made a change, and without what members say about it. The stream ends when the table or one of its views changes: what
// the share shows may be something else then, and anyone who comes back is decided about again.
import type { Outlet } from '../live.ts';

const author = /"by":"[^"]*"/g;
const comments = /(?:id: \d+\n)?event: comments\.changed\n[^\n]*\n\n/g;
const schemaEvent = /event: (?:schema|view)\.changed\n[^\n]*\n\n/;

export const shareOutlet = (outlet: Outlet): Outlet => {
  let isOver = false;
  return {
    ...outlet,
    write(chunk) {
      if (isOver) return;
      const text = chunk.toString().replaceAll(author, '"by":""').replaceAll(comments, '');
      if (text === '') return;
      const found = schemaEvent.exec(text);
      outlet.write(found === null ? text : text.slice(0, found.index + found[0].length));
      if (found === null) return;
      isOver = true;
      outlet.end();
    },
  };
};
