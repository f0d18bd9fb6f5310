-- Through which sign-in at a provider a session came to be, so that the provider can end it, and signing out can lead there.
alter table rowhouse.sessions add column issuer text, add column subject text, add column sid text, add column sealed_id_token bytea;
create index sessions_identity on rowhouse.sessions (issuer, subject) where issuer is not null;
-- A sign-in that waits for the second factor becomes such a session.
alter table rowhouse.half_sign_ins add column origin jsonb;

-- What providers have said about ended sessions. A message counts once, and a sign-in that was under way meanwhile does not survive it.
create table rowhouse.provider_logouts (
  jti_hash bytea primary key,
  issuer text not null,
  subject text,
  sid text,
  -- By the clock of the provider.
  time timestamptz not null,
  expires_time timestamptz not null
);
create index provider_logouts_issuer on rowhouse.provider_logouts (issuer, sid);
create index provider_logouts_expires on rowhouse.provider_logouts (expires_time);
