# The image of the action: one static program, and what it needs to fetch packages
# and to start servers that are written for Node.
#
# The runner starts it as root and mounts its own folders. What holds the token,
# what resolves packages and every server run as users of their own; docs/action.md
# says what is root and what that leaves. Servers' numbers are far above those here.
ARG GO_IMAGE=golang:1.26-bookworm
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
ARG COMMIT=
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X main.version=${VERSION} -X main.actionCommit=${COMMIT}" \
    -o /toolwarrant ./cmd/toolwarrant

FROM ${NODE_IMAGE}
# uv comes where the distribution packages it; without it launches of Python
# packages are locked by their words alone.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git \
    && if apt-cache show uv >/dev/null 2>&1; then apt-get install -y --no-install-recommends uv; fi \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log
# Numbers that nothing else in the image has, which the program knows.
RUN for role in resolver:65301 poster:65302; do \
      groupadd --gid "${role#*:}" "toolwarrant-${role%:*}" \
      && useradd -K UID_MAX=65533 --uid "${role#*:}" --gid "${role#*:}" --no-create-home --home-dir /nonexistent \
           --shell /usr/sbin/nologin "toolwarrant-${role%:*}" || exit 1; \
    done
COPY --from=build /toolwarrant /usr/local/bin/toolwarrant
ARG VERSION=dev
ARG COMMIT=
LABEL org.opencontainers.image.title="toolwarrant" \
      org.opencontainers.image.description="The lock file and CI gate for what an agent may call." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/toolwarrant/toolwarrant" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}"
ENTRYPOINT ["toolwarrant", "action"]
