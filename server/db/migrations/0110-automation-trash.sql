-- Automations that were deleted stand in the trash of their base, switched off, until they are restored or deleted for good.
alter table rowhouse.automations add column deleted_time timestamptz, add column deleted_by text;
