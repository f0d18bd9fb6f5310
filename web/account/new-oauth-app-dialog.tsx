import { createOauthClient } from '@rowhouse/contract/oauth.ts';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { Dialog } from '../ui/dialog.tsx';
import { OauthAppForm } from './oauth-app-form.tsx';
import { oauthAppQuery, oauthAppsQuery } from './queries.ts';

export const NewOauthAppDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate();
  return (
    <Dialog open onClose={onClose} title="New OAuth application" wide>
      <OauthAppForm
        action="Create application"
        onCancel={onClose}
        onSubmit={async (body) => {
          const leadOn = fromHere();
          const app = await call(createOauthClient, { body });
          queryClient.setQueryData(oauthAppQuery(app.clientId).queryKey, app);
          await queryClient.invalidateQueries({ queryKey: oauthAppsQuery.queryKey });
          await leadOn(() => navigate({ to: '/account/apps/$clientId', params: { clientId: app.clientId } }));
        }}
      />
    </Dialog>
  );
};
