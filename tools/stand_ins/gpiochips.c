/* The Pi's pins without a Pi: loaded before a program (LD_PRELOAD), it answers what the kernel's GPIO character device
 * would (linux/gpio.h, version 2 of its calls), so that the real lgpio and gpiozero run unchanged.
 *
 * $EMULATED_PI is a folder with dev/gpiochip* and proc/device-tree: where a path is in it, it stands for the kernel's.
 * Each chip's file is its state, shared with the test (gpiochips.py writes and reads it):
 * a struct chip, then its lines. Every change of an output is a line in $EMULATED_PI/changes.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOW, HIGH, FLOATING };
enum { FREE = 0, OF_THE_KERNEL = 1 };

struct line {
    uint32_t driven;  /* From outside: LOW, HIGH, FLOATING. The test writes it. */
    uint32_t owner;   /* FREE, OF_THE_KERNEL, or the process that asked for it. */
    uint32_t error;   /* What every write answers; 0: it goes well. The test writes it. */
    uint32_t out;     /* What it puts out. */
    uint64_t flags;   /* As it was asked for: GPIO_V2_LINE_FLAG_... */
};
struct chip {
    char name[32], label[32];
    uint32_t lines, number;
    struct line line[];
};

#define MOST_FDS 4096
#define LOOK_NS 500000 /* How often the levels from outside are looked at: a button bounces for milliseconds. */

/* What one of our descriptors is: a chip, or lines of one. */
static struct held {
    struct chip *chip;
    int lines;       /* 0: the chip itself. */
    uint32_t offset[GPIO_V2_LINES_MAX];
    int level[GPIO_V2_LINES_MAX];
    uint32_t seen;   /* Events told on this descriptor. */
    int tell;        /* Where events are written to; the descriptor is the other end. */
} *held_by[MOST_FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int watching;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* -- paths ------------------------------------------------------------------------------------------------------- */

/* The path that stands for this one; itself where the folder has none. */
static const char *shown(const char *path, char *room) {
    const char *root = getenv("EMULATED_PI");
    if (!root || !path) return path;
    if (strncmp(path, "/dev/gpiochip", 13) && strncmp(path, "/proc/device-tree", 17) && strcmp(path, "/dev") &&
        strcmp(path, "/dev/"))
        return path;
    snprintf(room, PATH_MAX, "%s%s", root, path);
    return room;
}

static struct held *held(int fd) { return fd >= 0 && fd < MOST_FDS ? held_by[fd] : NULL; }

static int opened(int fd, const char *path) {
    struct stat about;
    if (fd < 0 || fd >= MOST_FDS || !strstr(path, "/dev/gpiochip") || !getenv("EMULATED_PI")) return fd;
    if (fstat(fd, &about) || (size_t)about.st_size < sizeof(struct chip)) return fd;
    void *state = mmap(NULL, about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (state == MAP_FAILED) return fd;
    struct held *one = calloc(1, sizeof *one);
    one->chip = state;
    held_by[fd] = one;
    return fd;
}

#define MODE va_list rest; va_start(rest, flags); mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; va_end(rest)
int open(const char *path, int flags, ...) {
    MODE;
    char room[PATH_MAX];
    return opened(REAL(open)(shown(path, room), flags, mode), path);
}
int open64(const char *path, int flags, ...) {
    MODE;
    char room[PATH_MAX];
    return opened(REAL(open64)(shown(path, room), flags, mode), path);
}
int openat(int at, const char *path, int flags, ...) {
    MODE;
    char room[PATH_MAX];
    return opened(REAL(openat)(at, shown(path, room), flags, mode), path);
}
int openat64(int at, const char *path, int flags, ...) {
    MODE;
    char room[PATH_MAX];
    return opened(REAL(openat64)(at, shown(path, room), flags, mode), path);
}
DIR *opendir(const char *path) {
    char room[PATH_MAX];
    return REAL(opendir)(shown(path, room));
}
int stat(const char *path, struct stat *about) {
    char room[PATH_MAX];
    return REAL(stat)(shown(path, room), about);
}
int stat64(const char *path, struct stat64 *about) {
    char room[PATH_MAX];
    return REAL(stat64)(shown(path, room), about);
}

/* -- lines ------------------------------------------------------------------------------------------------------- */

static int level(const struct line *line) {
    if (line->flags & GPIO_V2_LINE_FLAG_OUTPUT) return line->out;
    if (line->driven != FLOATING) return line->driven;
    return (line->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP) != 0;
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void put_out(struct chip *chip, uint32_t offset, int value) {
    static int log = -1;
    chip->line[offset].out = value;
    if (log < 0) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/changes", getenv("EMULATED_PI"));
        log = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    }
    dprintf(log, "%llu %u %u %d\n", (unsigned long long)now_ns(), chip->number, offset, value);
}

/* Tells of every edge that the test made, as the kernel does. */
static void *watch(void *nothing) {
    for (;;) {
        struct timespec pause = {0, LOOK_NS};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&lock);
        for (int fd = 0; fd < MOST_FDS; fd++) {
            struct held *one = held_by[fd];
            for (int i = 0; one && i < one->lines; i++) {
                struct line *line = &one->chip->line[one->offset[i]];
                int is = level(line);
                if (is == one->level[i]) continue;
                one->level[i] = is;
                if (line->flags & (is ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING)) {
                    struct gpio_v2_line_event event = {
                        .timestamp_ns = now_ns(),
                        .id = is ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
                        .offset = one->offset[i], .seqno = ++one->seen, .line_seqno = one->seen,
                    };
                    if (write(one->tell, &event, sizeof event) < 0) continue;
                }
            }
        }
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static int refused(int error) {
    errno = error;
    return -1;
}

static void set(struct held *of, const struct gpio_v2_line_config *config) {
    for (int i = 0; i < of->lines; i++) {
        struct line *line = &of->chip->line[of->offset[i]];
        line->flags = config->flags;
        for (uint32_t a = 0; a < config->num_attrs && a < GPIO_V2_LINE_NUM_ATTRS_MAX; a++) {
            const struct gpio_v2_line_config_attribute *attr = &config->attrs[a];
            if (!(attr->mask >> i & 1)) continue;
            if (attr->attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS) line->flags = attr->attr.flags;
            if (attr->attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
                put_out(of->chip, of->offset[i], attr->attr.values >> i & 1);
        }
        of->level[i] = level(line);
    }
}

static int ask_for_lines(struct chip *chip, struct gpio_v2_line_request *request) {
    int ends[2];
    if (request->num_lines == 0 || request->num_lines > GPIO_V2_LINES_MAX) return refused(EINVAL);
    for (uint32_t i = 0; i < request->num_lines; i++) {
        if (request->offsets[i] >= chip->lines) return refused(EINVAL);
        uint32_t owner = chip->line[request->offsets[i]].owner;
        if (owner == OF_THE_KERNEL || (owner && (owner == (uint32_t)getpid() || !kill(owner, 0)))) return refused(EBUSY);
    }
    if (pipe2(ends, O_CLOEXEC)) return -1;
    struct held *one = calloc(1, sizeof *one);
    one->chip = chip;
    one->lines = request->num_lines;
    one->tell = ends[1];
    for (int i = 0; i < one->lines; i++) {
        one->offset[i] = request->offsets[i];
        chip->line[one->offset[i]].owner = getpid();
    }
    set(one, &request->config);
    held_by[ends[0]] = one;
    request->fd = ends[0];
    if (!watching) {
        pthread_t thread;
        watching = !pthread_create(&thread, NULL, watch, NULL);
    }
    return 0;
}

static int on_chip(struct held *one, unsigned long what, void *given) {
    struct chip *chip = one->chip;
    if (what == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *info = given;
        memcpy(info->name, chip->name, 32);
        memcpy(info->label, chip->label, 32);
        info->lines = chip->lines;
        return 0;
    }
    if (what == GPIO_V2_GET_LINEINFO_IOCTL) {
        struct gpio_v2_line_info *info = given;
        uint32_t offset = info->offset;
        if (offset >= chip->lines) return refused(EINVAL);
        memset(info, 0, sizeof *info);
        info->offset = offset;
        snprintf(info->name, sizeof info->name, "GPIO%u", offset);
        info->flags = chip->line[offset].flags | (chip->line[offset].owner ? GPIO_V2_LINE_FLAG_USED : 0);
        return 0;
    }
    return what == GPIO_V2_GET_LINE_IOCTL ? ask_for_lines(chip, given) : refused(EINVAL);
}

static int on_lines(struct held *one, unsigned long what, void *given) {
    struct gpio_v2_line_values *values = given;
    if (what == GPIO_V2_LINE_SET_CONFIG_IOCTL) {
        set(one, given);
        return 0;
    }
    if (what == GPIO_V2_LINE_GET_VALUES_IOCTL) values->bits = 0;
    else if (what != GPIO_V2_LINE_SET_VALUES_IOCTL) return refused(EINVAL);
    for (int i = 0; i < one->lines; i++) {
        struct line *line = &one->chip->line[one->offset[i]];
        if (!(values->mask >> i & 1)) continue;
        if (what == GPIO_V2_LINE_GET_VALUES_IOCTL) {
            values->bits |= (uint64_t)level(line) << i;
        } else {
            if (line->error) return refused(line->error);
            if (!(line->flags & GPIO_V2_LINE_FLAG_OUTPUT)) return refused(EPERM);
            put_out(one->chip, one->offset[i], values->bits >> i & 1);
        }
    }
    return 0;
}

int ioctl(int fd, unsigned long what, ...) {
    va_list rest;
    va_start(rest, what);
    void *given = va_arg(rest, void *);
    va_end(rest);
    struct held *one = held(fd);
    if (!one) return REAL(ioctl)(fd, what, given);
    pthread_mutex_lock(&lock);
    int said = one->lines ? on_lines(one, what, given) : on_chip(one, what, given);
    pthread_mutex_unlock(&lock);
    return said;
}

int close(int fd) {
    struct held *one = held(fd);
    if (one) {
        pthread_mutex_lock(&lock);
        for (int i = 0; i < one->lines; i++) one->chip->line[one->offset[i]].owner = FREE;
        held_by[fd] = NULL;
        if (one->lines) REAL(close)(one->tell);
        free(one); /* The chip stays mapped: lines asked for through it live on. */
        pthread_mutex_unlock(&lock);
    }
    return REAL(close)(fd);
}
