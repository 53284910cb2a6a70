-- What is said while nothing may be learnt is never learnt from, also later.

ALTER TABLE messages ADD COLUMN learnable INTEGER NOT NULL DEFAULT 1;
