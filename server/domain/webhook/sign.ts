// Signatures of the Standard Webhooks specification: `v1` by a shared secret, `v1a` by a key pair whose public half is no secret.
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const secretPrefix = 'whsec_';

export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

/** The private half as text that is to be sealed, the public half as receivers read it. */
export const newKeyPair = (): { signingKey: string; publicKey: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // The key itself is the end of its DER form.
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return {
    signingKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: `whpk_${raw.toString('base64')}`,
  };
};

const keyFrom = (signingKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(signingKey, 'base64'), type: 'pkcs8', format: 'der' });

/** The value of `webhook-signature`: one for each secret, and one of the key pair. */
export const signatureOf = (
  message: { id: string; timestamp: number; body: string },
  secrets: readonly string[],
  signingKey: string,
): string => {
  const signed = Buffer.from(`${message.id}.${message.timestamp}.${message.body}`);
  return [
    ...secrets.map(
      (secret) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
          .update(signed)
          .digest('base64')}`,
    ),
    `v1a,${sign(null, signed, keyFrom(signingKey)).toString('base64')}`,
  ].join(' ');
};
