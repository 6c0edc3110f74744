-- CreateTable
CREATE TABLE "lab_job" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "phase" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "cancelAsked" BOOLEAN NOT NULL DEFAULT false,
    "share" REAL,
    "says" TEXT NOT NULL,
    "progress" JSONB,
    "checkpoint" JSONB,
    "result" JSONB,
    "decision" JSONB,
    "problem" JSONB,
    "revision" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdById" TEXT,
    "createdByName" TEXT NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    "note" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "lab_job_active_idx" ON "lab_job"("active");

-- CreateIndex
CREATE INDEX "lab_job_kind_createdAt_idx" ON "lab_job"("kind", "createdAt");

-- CreateIndex
CREATE INDEX "lab_job_model_createdAt_idx" ON "lab_job"("model", "createdAt");
