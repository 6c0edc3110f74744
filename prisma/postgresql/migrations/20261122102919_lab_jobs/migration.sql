-- CreateTable
CREATE TABLE "lab_job" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "phase" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "cancelAsked" BOOLEAN NOT NULL DEFAULT false,
    "share" DOUBLE PRECISION,
    "says" TEXT NOT NULL,
    "progress" JSONB,
    "checkpoint" JSONB,
    "result" JSONB,
    "decision" JSONB,
    "problem" JSONB,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdById" TEXT,
    "createdByName" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),
    "note" TEXT NOT NULL,

    CONSTRAINT "lab_job_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "lab_job_active_idx" ON "lab_job"("active");

-- CreateIndex
CREATE INDEX "lab_job_kind_createdAt_idx" ON "lab_job"("kind", "createdAt");

-- CreateIndex
CREATE INDEX "lab_job_model_createdAt_idx" ON "lab_job"("model", "createdAt");
