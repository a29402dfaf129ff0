-- The file that a list was made of, as its client tells it: JSON, since PostgreSQL's text takes neither NUL nor a lone surrogate.
ALTER TABLE mxproof.lists ADD COLUMN file_json text;
