-- The latest run of the doctor on each machine (store/doctor-reports.ts).
CREATE TABLE mxproof.doctor_reports (
  machine text PRIMARY KEY,
  ran_at  timestamptz NOT NULL DEFAULT now(),
  is_ok   boolean NOT NULL,
  -- [{id, title, status, detail, advice}]; see doctor/doctor-check.ts.
  checks  jsonb NOT NULL
);
