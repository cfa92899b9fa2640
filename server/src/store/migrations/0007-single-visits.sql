-- Whether a visitor has no ClientId and no other visit on that day. These visitors are counted by their visits.
-- Visits of earlier versions don't tell, which is right too, but takes longer to count.
alter table closed_visits add column if not exists is_single Bool after has_client_id;

alter table open_visits add column if not exists is_single Bool after has_client_id;

alter table visits add column if not exists is_single Bool after has_client_id;
