// To visitors who want something that takes an account; they come back to this page.
export const SignInNote = () => {
  const here = encodeURIComponent(window.location.pathname);
  return (
    <p className="text-ink-soft">
      <a className="font-medium text-accent underline" href={`/login?redirect=${here}`}>
        Sign in
      </a>{' '}
      or{' '}
      <a className="font-medium text-accent underline" href={`/signup?redirect=${here}`}>
        create an account
      </a>{' '}
      first.
    </p>
  );
};
