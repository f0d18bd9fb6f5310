-- The steps of undo are in the operations of each base now: a change and its step are one row. What could be undone before this version cannot any more.
drop table rowhouse.undo_steps;
