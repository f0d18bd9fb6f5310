alter table rowhouse.views drop constraint views_type_check;
alter table rowhouse.views add constraint views_type_check check (type in ('grid', 'kanban', 'gallery', 'calendar', 'timeline', 'gantt', 'form'));
