CREATE TABLE "usage_totals" (
	"month" text PRIMARY KEY NOT NULL,
	"calls" bigint NOT NULL,
	"refused" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "api_keys_created_at_id_index" ON "api_keys" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
-- A trigger, because processes of earlier versions write only "usage". It runs at the end of the statement that writes.
CREATE FUNCTION "add_usage_totals"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- The lock serializes statements that change several months. Without it, they could deadlock.
	PERFORM pg_advisory_xact_lock(2108453243);
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "usage_totals" ("month", "calls", "refused")
		SELECT "month", sum("calls"), sum("refused") FROM "added" GROUP BY "month"
		ON CONFLICT ("month") DO UPDATE SET
			"calls" = "usage_totals"."calls" + excluded."calls",
			"refused" = "usage_totals"."refused" + excluded."refused";
	ELSIF TG_OP = 'UPDATE' THEN
		INSERT INTO "usage_totals" ("month", "calls", "refused")
		SELECT "month", sum("calls"), sum("refused") FROM (
			SELECT "month", "calls", "refused" FROM "added"
			UNION ALL
			SELECT "month", -"calls", -"refused" FROM "removed"
		) AS "changes" GROUP BY "month"
		ON CONFLICT ("month") DO UPDATE SET
			"calls" = "usage_totals"."calls" + excluded."calls",
			"refused" = "usage_totals"."refused" + excluded."refused";
	ELSE
		INSERT INTO "usage_totals" ("month", "calls", "refused")
		SELECT "month", -sum("calls"), -sum("refused") FROM "removed" GROUP BY "month"
		ON CONFLICT ("month") DO UPDATE SET
			"calls" = "usage_totals"."calls" + excluded."calls",
			"refused" = "usage_totals"."refused" + excluded."refused";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "usage_totals_inserted" AFTER INSERT ON "usage"
REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "add_usage_totals"();
--> statement-breakpoint
CREATE TRIGGER "usage_totals_updated" AFTER UPDATE ON "usage"
REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "add_usage_totals"();
--> statement-breakpoint
CREATE TRIGGER "usage_totals_deleted" AFTER DELETE ON "usage"
REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "add_usage_totals"();
--> statement-breakpoint
-- The triggers lock "usage" until the migration is committed, so that no count is missed or added twice.
INSERT INTO "usage_totals" ("month", "calls", "refused")
SELECT "month", sum("calls"), sum("refused") FROM "usage" GROUP BY "month";
