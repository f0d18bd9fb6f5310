// Your picture: chosen, cut to a square, and taken away again.
import { deleteAvatar, updateAvatar } from '@rowhouse/contract/user.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

const side = 256;

/** The middle of it, as large as it is ever shown: what a camera makes would be too much for every list of people. */
const squareOf = async (file: File): Promise<Blob> => {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} is not a picture that the browser can read`);
  });
  const cut = Math.min(image.width, image.height);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [side, side];
  canvas
    .getContext('2d')
    ?.drawImage(image, (image.width - cut) / 2, (image.height - cut) / 2, cut, cut, 0, 0, side, side);
  return new Promise((done, fail) =>
    canvas.toBlob(
      (blob) => (blob === null ? fail(new Error('The picture could not be made smaller')) : done(blob)),
      'image/png',
    ),
  );
};

const send = async (file: File): Promise<void> => {
  const boundary = `picture${Math.random().toString(36).slice(2)}`;
  // A form in one piece, with its boundary in the type: browsers send no streams over HTTP/1.1.
  const form = new Blob([
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="avatar.png"\r\nContent-Type: image/png\r\n\r\n`,
    await squareOf(file),
    `\r\n--${boundary}--\r\n`,
  ]);
  await call(updateAvatar, {
    body: form as never,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
};

export const AvatarField = () => {
  const me = useMe();
  const input = useRef<HTMLInputElement>(null);
  const refresh = { onSuccess: () => queryClient.invalidateQueries({ queryKey: meKey }) };
  const set = useMutation({ mutationFn: send, ...refresh });
  const remove = useMutation({ mutationFn: () => call(deleteAvatar, {}), ...refresh });
  return (
    <div className="mb-5 flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={me.name} seed={me.id} picture={me.avatar} size="large" />
        <div className="flex flex-wrap gap-2">
          <Button size="small" busy={set.isPending} onClick={() => input.current?.click()}>
            {me.avatar === null ? 'Add a picture' : 'Change picture'}
          </Button>
          {me.avatar !== null && (
            <Button size="small" look="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove picture
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/*"
          aria-label="Your picture"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) set.mutate(file);
            event.target.value = '';
          }}
        />
      </div>
      <ProblemNote error={set.error ?? remove.error} />
    </div>
  );
};
