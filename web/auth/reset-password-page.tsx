// Where the link of the e-mail leads. Its code stands behind the #, which browsers send to no server.
import { resetPassword } from '@rowhouse/contract/auth.ts';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { showToast } from '../ui/toast.ts';
import { AuthFrame, AuthLink } from './auth-frame.tsx';
import { OneFieldForm } from './one-field-form.tsx';

export const ResetPasswordPage = () => {
  const code = useLocation({ select: ({ hash }) => hash });
  const navigate = useNavigate();
  return (
    <AuthFrame
      title="Set a new password"
      lead="You will be signed out everywhere. Access tokens stay valid."
      footer={<AuthLink to="/forgot-password">Ask for another link</AuthLink>}
    >
      <OneFieldForm
        label="New password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        hint="At least 8 characters, with a letter and a digit."
        action="Set password"
        onSubmit={async (password) => {
          await call(resetPassword, { body: { password, code } });
          queryClient.clear();
          queryClient.setQueryData(meKey, null);
          await navigate({ to: '/login' });
          showToast({ kind: 'note', title: 'Your password was changed.', detail: 'Sign in with the new one.' });
        }}
      />
    </AuthFrame>
  );
};
