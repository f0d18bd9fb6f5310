// The official client of Teable, unmodified: its calls for spaces, bases, people, invitations and the trash, and its
// own schemas for the answers.
import * as teable from '@teable/openapi';
import { beforeAll, expect, test } from 'vitest';
import { type Person, person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let owner: Person;
let guest: Person;

const as = (who: Person): void => {
  teable.configApi({ endpoint: world().origin, token: who.token });
};

const newSpace = async (): Promise<string> => (await teable.createSpace({ name: 'Teable' })).data.id;

const user = (who: Person) => ({ principalId: who.userId, principalType: teable.PrincipalType.User });

beforeAll(async () => {
  owner = await person(world());
  guest = await person(world());
  as(owner);
});

test('createSpace, getSpaceById, getSpaceList, updateSpace, deleteSpace and permanentDeleteSpace work', async () => {
  const made = await teable.createSpace({});
  expect(made.status).toBe(201);
  const { id } = teable.createSpaceVoSchema.parse(made.data);
  expect(teable.getSpaceVoSchema.parse((await teable.getSpaceById(id)).data)).toEqual({
    id,
    name: 'Space',
    role: 'owner',
  });
  expect((await teable.getSpaceList()).data.map((space) => teable.getSpaceVoSchema.parse(space).id)).toEqual([id]);
  const renamed = await teable.updateSpace({ spaceId: id, updateSpaceRo: { name: 'Other' } });
  expect(teable.updateSpaceVoSchema.parse(renamed.data)).toEqual({ id, name: 'Other' });
  expect((await teable.deleteSpace(id)).status).toBe(200);
  expect((await teable.permanentDeleteSpace(id)).status).toBe(200);
  await expect(teable.getSpaceById(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('createBase, getBaseById, getBaseList, getBaseAll, updateBase, updateBaseOrder, moveBase, duplicateBase, getBasePermission and deleting work', async () => {
  const [spaceId, elsewhere] = [await newSpace(), await newSpace()];
  const made = await teable.createBase({ spaceId, name: 'One', icon: '🧮' });
  expect(made.status).toBe(201);
  const { id: baseId } = teable.createBaseVoSchema.parse(made.data);
  const second = (await teable.createBase({ spaceId })).data.id;
  expect(teable.getBaseVoSchema.parse((await teable.getBaseById(baseId)).data)).toMatchObject({
    id: baseId,
    name: 'One',
    icon: '🧮',
    role: 'owner',
  });
  await teable.updateBaseOrder({ baseId, anchorId: second, position: 'after' });
  const listed = (await teable.getBaseList({ spaceId })).data.map((base) => teable.getBaseItemSchema.parse(base).id);
  expect(listed).toEqual([second, baseId]);
  expect((await teable.getBaseAll()).data.map((base) => teable.getBaseItemSchema.parse(base).id)).toEqual(listed);
  const updated = teable.updateBaseVoSchema.parse(
    (await teable.updateBase({ baseId, updateBaseRo: { icon: '🚀' } })).data,
  );
  expect(updated).toEqual({ spaceId, name: 'One', icon: '🚀' });
  expect(teable.GetBasePermissionVoSchema.parse((await teable.getBasePermission(baseId)).data)).toMatchObject({
    'table|create': true,
  });
  expect((await teable.moveBase(baseId, elsewhere)).status).toBe(200);
  expect((await teable.getBaseById(baseId)).data.spaceId).toBe(elsewhere);
  const copy = await teable.duplicateBase({ fromBaseId: baseId, spaceId: elsewhere, withRecords: true, name: 'Copy' });
  expect(teable.createBaseVoSchema.parse(copy.data)).toMatchObject({ name: 'Copy', spaceId: elsewhere });
  expect((await teable.deleteBase(baseId)).status).toBe(200);
  expect((await teable.permanentDeleteBase(baseId)).status).toBe(200);
});

test('the calls for collaborators of a space work', async () => {
  const spaceId = await newSpace();
  expect((await teable.addSpaceCollaborator(spaceId, { collaborators: [user(guest)], role: 'viewer' })).status).toBe(
    200,
  );
  await teable.updateSpaceCollaborator({ spaceId, updateSpaceCollaborateRo: { ...user(guest), role: 'editor' } });
  const list = await teable.getSpaceCollaboratorList(spaceId, {
    includeBase: true,
    skip: 0,
    take: 10,
    orderBy: 'desc',
    search: '',
    includeSystem: false,
  });
  const { collaborators, total, uniqTotal } = teable.listSpaceCollaboratorVoSchema.parse(list.data);
  expect(collaborators.map((one) => one.role)).toEqual(['editor', 'owner']);
  expect([total, uniqTotal]).toEqual([2, 2]);
  expect((await teable.deleteSpaceCollaborator({ spaceId, deleteSpaceCollaboratorRo: user(guest) })).status).toBe(200);
  await expect(
    teable.deleteSpaceCollaborator({ spaceId, deleteSpaceCollaboratorRo: user(owner) }),
  ).rejects.toMatchObject({ status: 400, code: 'validation_error' });
});

test('the calls for collaborators of a base, and getSharedBase, work', async () => {
  const baseId = (await teable.createBase({ spaceId: await newSpace() })).data.id;
  await teable.addBaseCollaborator(baseId, { collaborators: [user(guest)], role: 'viewer' });
  await teable.updateBaseCollaborator({ baseId, updateBaseCollaborateRo: { ...user(guest), role: 'editor' } });
  const list = teable.listBaseCollaboratorVoSchema.parse(
    (await teable.getBaseCollaboratorList(baseId, { take: 10 })).data,
  );
  expect(list.collaborators.map((one) => [one.role, one.resourceType])).toEqual([
    ['owner', 'space'],
    ['editor', 'base'],
  ]);
  const users = teable.listBaseCollaboratorUserVoSchema.parse(
    (await teable.getUserCollaborators(baseId, { search: guest.email })).data,
  );
  expect(users).toEqual({
    users: [{ id: guest.userId, name: guest.name, email: guest.email, avatar: null }],
    total: 1,
  });
  as(guest);
  const shared = teable.getSharedBaseVoSchema.parse((await teable.getSharedBase()).data);
  expect(shared).toEqual([
    expect.objectContaining({ id: baseId, role: 'editor', spaceName: expect.stringMatching(/^Teable/) }),
  ]);
  as(owner);
  expect((await teable.deleteBaseCollaborator({ baseId, deleteBaseCollaboratorRo: user(guest) })).status).toBe(200);
});

test('the calls for invitations to a space work', async () => {
  const spaceId = await newSpace();
  const made = await teable.createSpaceInvitationLink({ spaceId, createSpaceInvitationLinkRo: { role: 'viewer' } });
  expect(made.status).toBe(201);
  const link = teable.createSpaceInvitationLinkVoSchema.parse(made.data);
  const { invitationId, invitationCode } = link;
  expect(teable.listSpaceInvitationLinkVoSchema.parse((await teable.listSpaceInvitationLink(spaceId)).data)).toEqual([
    link,
  ]);
  const changed = await teable.updateSpaceInvitationLink({
    spaceId,
    invitationId,
    updateSpaceInvitationLinkRo: { role: 'editor' },
  });
  expect(teable.updateSpaceInvitationLinkVoSchema.parse(changed.data)).toEqual({ invitationId, role: 'editor' });
  as(guest);
  const accepted = await teable.acceptInvitationLink({ invitationId, invitationCode });
  expect([accepted.status, teable.acceptInvitationLinkVoSchema.parse(accepted.data)]).toEqual([
    201,
    { spaceId, baseId: null },
  ]);
  as(owner);
  expect((await teable.deleteSpaceInvitationLink({ spaceId, invitationId })).status).toBe(200);
  const invited = await teable.emailSpaceInvitation({
    spaceId,
    emailSpaceInvitationRo: { emails: ['space@example.com'], role: 'viewer' },
  });
  expect(Object.keys(teable.emailSpaceInvitationVoSchema.parse(invited.data))).toEqual(['space@example.com']);
});

test('the calls for invitations to a base work', async () => {
  const baseId = (await teable.createBase({ spaceId: await newSpace() })).data.id;
  const made = await teable.createBaseInvitationLink({ baseId, createBaseInvitationLinkRo: { role: 'viewer' } });
  const link = teable.createBaseInvitationLinkVoSchema.parse(made.data);
  const { invitationId, invitationCode } = link;
  expect(teable.listBaseInvitationLinkVoSchema.parse((await teable.listBaseInvitationLink(baseId)).data)).toEqual([
    link,
  ]);
  const changed = await teable.updateBaseInvitationLink({
    baseId,
    invitationId,
    updateBaseInvitationLinkRo: { role: 'editor' },
  });
  expect(teable.updateBaseInvitationLinkVoSchema.parse(changed.data)).toEqual({ invitationId, role: 'editor' });
  as(guest);
  expect(
    teable.acceptInvitationLinkVoSchema.parse(
      (await teable.acceptInvitationLink({ invitationId, invitationCode })).data,
    ),
  ).toEqual({ spaceId: null, baseId });
  as(owner);
  expect((await teable.deleteBaseInvitationLink({ baseId, invitationId })).status).toBe(200);
  const invited = await teable.emailBaseInvitation({
    baseId,
    emailBaseInvitationRo: { emails: ['base@example.com'], role: 'viewer' },
  });
  expect(Object.keys(teable.emailBaseInvitationVoSchema.parse(invited.data))).toEqual(['base@example.com']);
});

test('getTrash, getTrashItems, restoreTrash and resetTrashItems work', async () => {
  const spaceId = await newSpace();
  const baseId = (await teable.createBase({ spaceId })).data.id;
  await teable.deleteBase(baseId);
  const bases = teable.trashVoSchema.parse((await teable.getTrash({ resourceType: teable.ResourceType.Base })).data);
  expect(bases.resourceMap).toEqual({ [baseId]: { id: baseId, name: 'Untitled Base', spaceId } });
  expect(bases.trashItems).toEqual([expect.objectContaining({ resourceId: baseId, deletedBy: owner.userId })]);
  expect((await teable.restoreTrash((bases.trashItems[0] as { id: string }).id)).status).toBe(201);
  expect((await teable.getBaseById(baseId)).data.id).toBe(baseId);
  await teable.deleteSpace(spaceId);
  const spaces = teable.trashVoSchema.parse((await teable.getTrash({ resourceType: teable.ResourceType.Space })).data);
  expect(spaces.userMap[owner.userId]).toMatchObject({ email: owner.email });
  await teable.restoreTrash((spaces.trashItems[0] as { id: string }).id);
  const ro = { resourceId: baseId, resourceType: teable.ResourceType.Base as const };
  expect(teable.trashVoSchema.parse((await teable.getTrashItems(ro)).data).trashItems).toEqual([]);
  expect((await teable.resetTrashItems(ro)).status).toBe(200);
});

test('getSetting, getPublicSetting and updateSetting work, and what is not allowed is refused to all but administrators', async () => {
  const admin = await person(world(), { admin: true });
  const spaceId = await newSpace();
  await expect(teable.getSetting()).rejects.toMatchObject({ status: 403 });
  as(admin);
  const decide = (value: boolean) =>
    teable.updateSetting({
      brandName: value ? 'Ours' : '',
      disallowSignUp: value,
      disallowSpaceCreation: value,
      disallowSpaceInvitation: value,
    });
  expect((await decide(true)).status).toBe(200);
  expect(teable.settingVoSchema.parse((await teable.getSetting()).data)).toMatchObject({
    brandName: 'Ours',
    disallowSignUp: true,
    disallowSpaceCreation: true,
    disallowSpaceInvitation: true,
    aiConfig: null,
  });
  expect((await teable.createSpace({})).status).toBe(201);
  as(owner);
  for (const refused of [
    () => teable.createSpace({}),
    () => teable.createSpaceInvitationLink({ spaceId, createSpaceInvitationLinkRo: { role: 'viewer' } }),
    () =>
      teable.emailSpaceInvitation({ spaceId, emailSpaceInvitationRo: { emails: ['a@example.com'], role: 'viewer' } }),
  ]) {
    await expect(refused()).rejects.toMatchObject({ status: 403 });
  }
  await expect(teable.signup({ email: 'nobody@example.com', password: 'Secret-1234-x' })).rejects.toMatchObject({
    status: 403,
  });
  as(admin);
  await decide(false);
  as(owner);
  expect(teable.publicSettingVoSchema.parse((await teable.getPublicSetting()).data)).toMatchObject({
    brandName: null,
    disallowSignUp: false,
  });
  expect((await teable.createSpace({})).status).toBe(201);
});

test('templates, temporary tokens, saved queries, search indexes and the end of an account work', async () => {
  const admin = await person(world(), { admin: true });
  as(admin);
  const spaceId = await newSpace();
  const baseId = (await teable.createBase({ spaceId, name: 'Source' })).data.id;
  const made = await teable.createTemplate({ name: 'Mine', description: 'A base' });
  const templateId = (made.data as unknown as { id: string }).id;
  const { id: categoryId } = (await teable.createTemplateCategory({ name: 'Own' })).data as unknown as { id: string };
  await teable.updateTemplate(templateId, { baseId, categoryId });
  expect((await teable.createTemplateSnapshot(templateId)).status).toBe(201);
  await teable.updateTemplate(templateId, { isPublished: true });
  expect((await teable.pinTopTemplate(templateId)).status).toBe(200);
  const [first] = (await teable.getPublishedTemplateList()).data;
  // Without the picture, which it has none of.
  expect(teable.templateVoSchema.omit({ cover: true }).parse(first)).toMatchObject({
    id: templateId,
    categoryId,
    isPublished: true,
    baseId,
    snapshot: { name: 'Source' },
  });
  expect((await teable.getTemplateDetail(templateId)).data.id).toBe(templateId);
  expect((await teable.getTemplateList()).data.length).toBeGreaterThanOrEqual(6);
  const begun = await teable.createBaseFromTemplate({ spaceId, templateId, withRecords: true });
  expect(teable.createBaseVoSchema.parse(begun.data).name).toBe('Mine');
  await teable.updateTemplateCategory(categoryId, { name: 'Other' });
  expect((await teable.deleteTemplateCategory(categoryId)).status).toBe(200);
  expect((await teable.deleteTemplate(templateId)).status).toBe(200);

  expect(teable.getTempTokenVoSchema.parse((await teable.getTempToken()).data).accessToken).toMatch(/^teable_/);
  const tableId = (await teable.createTable(begun.data.id, { name: 'Table' })).data.id;
  const { queryId } = teable.queryParamsVoSchema.parse((await teable.saveQueryParams({ params: { take: 2 } })).data);
  expect((await teable.getRecords(tableId, { queryId } as never)).data.records).toHaveLength(2);
  expect((await teable.getTableActivatedIndex(begun.data.id, tableId)).data).toEqual(['search']);
  expect((await teable.toggleTableIndex(begun.data.id, tableId, { type: teable.TableIndex.search })).status).toBe(201);

  // The client sends no password: a sign-in of just now stands for it.
  const leaver = await person(world());
  const signedIn = await fetch(`${world().baseUrl}/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: leaver.email, password: leaver.password }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string;
  expect(
    (
      await fetch(`${world().baseUrl}/auth/user?confirm=DELETE`, {
        method: 'DELETE',
        headers: { cookie, origin: world().origin },
      })
    ).status,
  ).toBe(200);
  as(owner);
});

test('pins, last visits, pictures and indexes work, and what there is nothing of is empty', async () => {
  as(owner);
  const spaceId = await newSpace();
  const [one, other] = [
    (await teable.createBase({ spaceId, name: 'One' })).data.id,
    (await teable.createBase({ spaceId, name: 'Other' })).data.id,
  ];
  const table = (await teable.createTable(one, { name: 'Table' })).data;
  const base = (id: string) => ({ type: teable.PinType.Base, id });
  for (const id of [one, other]) expect((await teable.addPin(base(id))).status).toBe(201);
  await teable.updatePinOrder({ ...base(other), anchorId: one, anchorType: teable.PinType.Base, position: 'before' });
  expect(teable.IGetPinListVoSchema.parse((await teable.getPinList()).data).map(({ id }) => id)).toEqual([other, one]);
  await teable.deletePin(base(other));
  expect((await teable.getPinList()).data.map(({ id }) => id)).toEqual([one]);

  await teable.updateUserLastVisit({
    resourceType: teable.LastVisitResourceType.Table,
    resourceId: table.id,
    parentResourceId: one,
    childResourceId: table.views[0]?.id,
  });
  const asked = { resourceType: teable.LastVisitResourceType.Table, parentResourceId: one };
  expect(teable.userLastVisitVoSchema.parse((await teable.getUserLastVisit(asked)).data)).toMatchObject({
    resourceId: table.id,
  });
  expect(Object.keys(teable.userLastVisitMapVoSchema.parse((await teable.getUserLastVisitMap(asked)).data))).toEqual([
    table.id,
  ]);
  await teable.updateUserLastVisit({
    resourceType: teable.LastVisitResourceType.Base,
    resourceId: one,
    parentResourceId: spaceId,
  });
  expect(
    teable.userLastVisitListBaseVoSchema
      .parse((await teable.getUserLastVisitListBase()).data)
      .list.map(({ resourceId }) => resourceId),
  ).toEqual([one]);

  const picture = (): never => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'], { type: 'image/svg+xml' }),
      'a.svg',
    );
    return form as never;
  };
  expect((await teable.updateUserAvatar(picture())).status).toBe(200);
  expect((await teable.userMe()).data.avatar).toContain('/avatar/');
  expect((await teable.getTableAbnormalIndex(one, table.id, teable.TableIndex.search)).data).toEqual([]);
  await teable.repairTableIndex(one, table.id, teable.TableIndex.search);

  for (const nothing of [
    teable.getIntegrationList(spaceId),
    teable.getDepartmentList({}),
    teable.getPlugins(),
    teable.getPluginContextMenuList(table.id),
    teable.listPluginPanels(table.id),
  ])
    expect((await nothing).data).toEqual([]);
  expect((await teable.getDepartmentUsers({})).data).toMatchObject({ users: [] });
  expect((await teable.getPublicAISetting(spaceId)).status).toBe(200);

  as(await person(world(), { admin: true }));
  expect((await teable.getWaitlist()).data).toEqual([]);
  expect((await teable.uploadLogo(picture())).data.url).toMatch(/^http|^\//);
  const categories = (await teable.getTemplateCategoryList()).data.map(({ id }) => id);
  expect((await teable.getPublishedTemplateCategoryList()).data.every(({ id }) => categories.includes(id))).toBe(true);

  // A token alone does not end an account: somebody has to be signed in, since a short while ago.
  as(await person(world()));
  await expect(teable.deleteUser('DELETE')).rejects.toMatchObject({
    message: expect.stringContaining('a sign-in within the last ten minutes'),
  });
  as(owner);
});
