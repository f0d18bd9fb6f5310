// Takes the pictures of docs/guide/administration.md from the app as it is now: node --import tsx scripts/screenshots-administration.ts
import { onStage } from './screenshot-stage.ts';

const people = ['Mia Lindqvist', 'Noor Haddad', 'Sam Okafor', 'Kim Rivers', 'Jo Almeida', 'Lena Vogt'];

await onStage({}, async ({ newVisitor, client }) => {
  const { page, send, picture } = await newVisitor('Office', { width: 1_280, height: 720 });
  const made: string[] = [];
  for (const name of people) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    made.push((await send('POST', '/admin/user', { email, name })).id);
  }
  await client.query(
    "update rowhouse.users set last_sign_in_time = now() - length(name) * interval '7 hours', created_time = now() - length(name) * interval '9 days' where name = any($1)",
    [people.slice(1)],
  );
  await send('PATCH', `/admin/user/${made[2]}`, { isActivated: false });
  await send('PATCH', `/admin/user/${made[3]}/admin`, { isAdmin: true });
  await page.goto('/admin/people');
  await page.getByRole('button', { name: 'More for Noor Haddad' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).waitFor();
  await picture('administration-people');
  await page.goto('/admin/audit');
  await page.getByRole('list', { name: 'Audit log' }).waitFor();
  await picture('administration-audit');
});
