// Plain requests by path: they also work against a server of another version, whose contract is not at hand.

export interface Voice {
  origin: string;
  token?: string;
  cookie?: string;
}

interface Heard {
  status: number;
  headers: Headers;
  /** Whatever JSON it is: the reader knows what it asked for. */
  body: any;
}

export const hear = async (
  { origin, token, cookie }: Voice,
  method: string,
  path: string,
  body?: unknown,
): Promise<Heard> => {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(`${origin}/api${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie, origin }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new Error(`${method} ${path} got no answer: ${String(error.cause ?? error)}`, { cause: error });
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
};

/** The body; an error when it was refused. */
export const ask = async (voice: Voice, method: string, path: string, body?: unknown): Promise<any> => {
  const heard = await hear(voice, method, path, body);
  if (heard.status >= 400)
    throw new Error(`${method} ${path} answered ${heard.status}: ${JSON.stringify(heard.body).slice(0, 1_000)}`);
  return heard.body;
};
