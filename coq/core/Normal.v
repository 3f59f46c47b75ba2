(** * Normal forms: sums of monomials

    A monomial is a telescope: it takes a row for each of its slots, and gives a row where its condition holds.  Variables are
    de Bruijn indices, so that nothing is captured, and renaming has one lemma.  A slot ranges over a table, over the different
    rows of a bag (DISTINCT, GROUP BY), or over what a function makes of a bag (numbered rows).  All bags are finite: there is no ★. *)
From Tallystick.core Require Export Core.
From Coq Require Export Lia.
Open Scope nat_scope.

(** Operators: of truth values two-valued, of numbers total; those of the core, on values with NULL; [Named] are all others. *)
Inductive scalar := SPlus | STimes | SQuotient (r : rounding) | SCall (name : string) (k : kind) (strict : bool) | SCompare (c : comparison)
  | SBoth | SEither | SNegated | SIsNull | SWhen.
Definition scalar_value (w : world) (s : scalar) (vs : list value) : value := match s, vs with
  | SPlus, [u; v] => arithmetic Qcplus u v | STimes, [u; v] => arithmetic Qcmult u v | SQuotient r, [u; v] => quotient r u v
  | SCall name k strict, _ => if strict && existsb is_null vs then Null else coerced k strict (functions w name vs)
  | SCompare c, [u; v] => compare c u v | SBoth, [u; v] => both u v | SEither, [u; v] => either u v
  | SNegated, [v] => match v with Truth b => Truth (negb b) | _ => Null end | SIsNull, [v] => Truth (is_null v)
  | SWhen, [c; u; v] => if is_true c then u else v | _, _ => Null end.
Inductive op := Lit (v : value) | And | Or | Not | IsSame | Known | Ite | Add | Mul | Count_if | Scalar (s : scalar) | Named (n : string).
Definition num (v : value) : Qc := match v with Number q => q | _ => whole 0 end.
Definition count_true (vs : list value) : nat := List.length (filter is_true vs).

(** What is made of a bag: an aggregate; the value of its only row.  What a slot may range over beside: numbered rows; other blocks. *)
Inductive aggregate := Of (f : Core.function) | Single.
Definition folded (w : world) (g : aggregate) (l : list row) : value := match g with
  | Of f => summary w f l | Single => match l with [r] => hd Null r | _ => Null end end.
Inductive place := Places (tag : string) (parts : nat) (order : list (bool * bool)) | Opaque (name : string).

Inductive term :=
  | Cell (i c : nat)                                   (* column c of slot i *)
  | Alike (i j : nat)                                  (* slots i and j hold the same row *)
  | Apply (o : op) (ts : terms)
  | Ex (b : bag)                                       (* whether there is a row *)
  | Total (b : bag)                                    (* the sum of the first column, 0 of nothing *)
  | Summary (f : aggregate) (b : bag)                  (* least, greatest, a function of the bag, the only value *)
with terms := Tn | Tc (t : term) (ts : terms)
with bag := Bn | Bc (m : mono) (b : bag)
with mono := Take (s : source) (m : mono) | Give (c : term) (h : terms)
with source := Table (name : string) | Support (b : bag) | Block (n : place) (b : bag).
Scheme term_i := Induction for term Sort Prop with terms_i := Induction for terms Sort Prop with bag_i := Induction for bag Sort Prop
  with mono_i := Induction for mono Sort Prop with source_i := Induction for source Sort Prop.
Lemma telescope_i (P : mono -> Prop) : (forall s m, P m -> P (Take s m)) -> (forall c h, P (Give c h)) -> forall m, P m.
Proof. intros T G. fix IH 1. intros [s m|c h]; [apply T, IH|apply G]. Qed.
Lemma bag_list_i (P : bag -> Prop) : P Bn -> (forall m b, P b -> P (Bc m b)) -> forall b, P b.
Proof. intros N C. fix IH 1. intros [|m b]; [exact N|apply C, IH]. Qed.
Lemma terms_list_i (P : terms -> Prop) : P Tn -> (forall t ts, P ts -> P (Tc t ts)) -> forall ts, P ts.
Proof. intros N C. fix IH 1. intros [|t ts]; [exact N|apply C, IH]. Qed.
Combined Scheme all_i from term_i, terms_i, bag_i, mono_i, source_i.

Definition env := nat -> row.
Definition push (r : row) (e : env) : env := fun i => match i with O => r | S i => e i end.
Definition up (x : nat -> nat) : nat -> nat := fun i => match i with O => O | S i => S (x i) end.

(** Renaming. *)
Fixpoint rt (x : nat -> nat) (t : term) : term := match t with
  | Cell i c => Cell (x i) c | Alike i j => Alike (x i) (x j) | Apply o ts => Apply o (rts x ts)
  | Ex b => Ex (rb x b) | Total b => Total (rb x b) | Summary f b => Summary f (rb x b) end
with rts x ts := match ts with Tn => Tn | Tc t ts => Tc (rt x t) (rts x ts) end
with rb x b := match b with Bn => Bn | Bc m b => Bc (rm x m) (rb x b) end
with rm x m := match m with Take s m => Take (rs x s) (rm (up x) m) | Give c h => Give (rt x c) (rts x h) end
with rs x s := match s with Table n => Table n | Support b => Support (rb x b) | Block n b => Block n (rb x b) end.

Section Meaning.
  Variable w : world.
  Variable blocks : place -> list row -> list row.
  Variable named : string -> list value -> value.
  Definition apply (o : op) (vs : list value) : value := match o, vs with
    | Lit v, _ => v
    | And, vs => Truth (forallb is_true vs) | Or, vs => Truth (existsb is_true vs)
    | Not, [v] => Truth (negb (is_true v)) | IsSame, [u; v] => Truth (same u v) | Known, [v] => Truth (negb (is_null v))
    | Ite, [c; u; v] => if is_true c then u else v
    | Add, vs => Number (fold_right Qcplus (whole 0) (map num vs)) | Mul, [u; v] => Number (Qcmult (num u) (num v))
    | Count_if, vs => number (Z.of_nat (count_true vs))
    | Scalar s, vs => scalar_value w s vs | Named n, vs => named n vs | _, _ => Null end.
  Definition qsum (l : list Qc) : Qc := fold_right Qcplus (whole 0) l.
  Definition weight (r : row) : Qc := num (hd Null r).
  Fixpoint mt (e : env) (t : term) : value := match t with
    | Cell i c => nth c (e i) Null | Alike i j => Truth (same_row (e i) (e j))
    | Apply o ts => apply o (mts e ts)
    | Ex b => Truth (match mb e b with [] => false | _ => true end)
    | Total b => Number (qsum (map weight (mb e b)))
    | Summary f b => folded w f (mb e b) end
  with mts e ts : list value := match ts with Tn => [] | Tc t ts => mt e t :: mts e ts end
  with mb e b : list row := match b with Bn => [] | Bc m b => mm e m ++ mb e b end
  with mm e m : list row := match m with
    | Take s m => flat_map (fun r => mm (push r e) m) (ms e s)
    | Give c h => if is_true (mt e c) then [mts e h] else [] end
  with ms e s : list row := match s with
    | Table n => tables w n | Support b => nodup row_eq_dec (mb e b) | Block n b => blocks n (mb e b) end.

  (** The one lemma of renaming; without functional extensionality. *)
  Lemma flat_map_same {A B} (f g : A -> list B) l : (forall x, f x = g x) -> flat_map f l = flat_map g l.
  Proof. intros H. induction l; cbn; congruence. Qed.
  Lemma renamed :
    (forall t e e' x, (forall i, e' (x i) = e i) -> mt e' (rt x t) = mt e t) /\ (forall ts e e' x, (forall i, e' (x i) = e i) -> mts e' (rts x ts) = mts e ts) /\
    (forall b e e' x, (forall i, e' (x i) = e i) -> mb e' (rb x b) = mb e b) /\ (forall m e e' x, (forall i, e' (x i) = e i) -> mm e' (rm x m) = mm e m) /\
    (forall s e e' x, (forall i, e' (x i) = e i) -> ms e' (rs x s) = ms e s).
  Proof.
    apply all_i; cbn; intros; auto.
    - now rewrite H.
    - now rewrite !H.
    - now rewrite (H _ _ _ H0).
    - now rewrite (H _ _ _ H0).
    - now rewrite (H _ _ _ H0).
    - now rewrite (H _ _ _ H0).
    - now rewrite (H _ _ _ H1), (H0 _ _ _ H1).
    - now rewrite (H _ _ _ H1), (H0 _ _ _ H1).
    - rewrite (H _ _ _ H1). apply flat_map_same. intros r. apply H0. intros [|i]; cbn; auto.
    - now rewrite (H _ _ _ H1), (H0 _ _ _ H1).
    - now rewrite (H _ _ _ H0).
    - now rewrite (H _ _ _ H0).
  Qed.
  Definition rt_ok := proj1 renamed.
  Definition rts_ok := proj1 (proj2 renamed).
  Definition rm_ok := proj1 (proj2 (proj2 (proj2 renamed))).
  Definition rs_ok := proj2 (proj2 (proj2 (proj2 renamed))).
  Definition id_ren : nat -> nat := fun i => i.
  (** Environments that agree give the same. *)
  Lemma mt_ext t e e' : (forall i, e i = e' i) -> mt e t = mt e' t.
  Proof. intros H. transitivity (mt e' (rt id_ren t)); [symmetry|]; apply rt_ok; unfold id_ren; intros; now rewrite ?H. Qed.
  Lemma mts_ext t e e' : (forall i, e i = e' i) -> mts e t = mts e' t.
  Proof. intros H. transitivity (mts e' (rts id_ren t)); [symmetry|]; apply rts_ok; unfold id_ren; intros; now rewrite ?H. Qed.
  Lemma ms_ext t e e' : (forall i, e i = e' i) -> ms e t = ms e' t.
  Proof. intros H. transitivity (ms e' (rs id_ren t)); [symmetry|]; apply rs_ok; unfold id_ren; intros; now rewrite ?H. Qed.

  (** Telescopes of sources, outermost first: the choices of rows for them. *)
  Definition takes (ss : list source) (m : mono) : mono := fold_right Take m ss.
  Fixpoint choices (e : env) (ss : list source) : list env := match ss with
    | [] => [e] | s :: ss => flat_map (fun r => choices (push r e) ss) (ms e s) end.
  Lemma flat_map_flat_map {A B C} (f : B -> list C) (g : A -> list B) l : flat_map f (flat_map g l) = flat_map (fun x => flat_map f (g x)) l.
  Proof. induction l; cbn; auto. now rewrite flat_map_app, IHl. Qed.
  Lemma mm_takes ss m : forall e, mm e (takes ss m) = flat_map (fun e => mm e m) (choices e ss).
  Proof. induction ss as [|s ss IH]; intros e; cbn; [now rewrite app_nil_r|]. rewrite flat_map_flat_map. apply flat_map_same. intros r. apply IH. Qed.
  Lemma choices_app ss ts : forall e, choices e (ss ++ ts) = flat_map (fun e => choices e ts) (choices e ss).
  Proof. induction ss as [|s ss IH]; intros e; cbn; [now rewrite app_nil_r|]. rewrite flat_map_flat_map. apply flat_map_same. intros r. apply IH. Qed.
  Lemma choices_outer ss : forall e a, In a (choices e ss) -> forall i, a (List.length ss + i) = e i.
  Proof.
    induction ss as [|s ss IH]; cbn; intros e a I i; [now destruct I as [<-|[]]|]. apply in_flat_map in I as (r & _ & I).
    specialize (IH _ _ I (S i)). cbn in IH. now rewrite <- IH, Nat.add_succ_r.
  Qed.
  Fixpoint rtele (x : nat -> nat) (ss : list source) : list source := match ss with [] => [] | s :: ss => rs x s :: rtele (up x) ss end.
  Fixpoint upn (n : nat) (x : nat -> nat) : nat -> nat := match n with O => x | S n => upn n (up x) end.
  Lemma rtele_length x ss : List.length (rtele x ss) = List.length ss.
  Proof. revert x; induction ss; intros; cbn; auto. Qed.
  (** Choices of a renamed telescope: for each choice of the telescope one that agrees. *)
  Lemma choices_renamed ss : forall e e' x a, (forall i, e' (x i) = e i) -> In a (choices e ss) ->
    exists a', In a' (choices e' (rtele x ss)) /\ (forall i, a' (upn (List.length ss) x i) = a i).
  Proof.
    induction ss as [|s ss IH]; cbn; intros e e' x a H I; [destruct I as [<-|[]]; exists e'; auto|].
    apply in_flat_map in I as (r & R & I). destruct (IH (push r e) (push r e') (up x) a) as (a' & A & B); auto; [intros [|i]; cbn; auto|].
    exists a'. split; auto. apply in_flat_map. exists r. split; auto. now rewrite (rs_ok _ _ _ _ H).
  Qed.
  Lemma upn_below n : forall x i, i < n -> upn n x i = i.
  Proof.
    assert (G : forall n x k, k < n -> upn n x k = k); [|auto]. clear.
    assert (U : forall n x k, (forall i, i < k -> x i = i) -> forall i, i < n + k -> upn n x i = i).
    { induction n as [|n IH]; cbn; intros x k H i I; auto. apply (IH (up x) (S k)); [|lia]. intros [|j] J; cbn; auto. f_equal. apply H. lia. }
    intros n x k K. apply (U n x 0); lia.
  Qed.
  Lemma upn_above n : forall x i, upn n x (n + i) = n + x i.
  Proof.
    induction n as [|n IH]; cbn; intros x i; auto. rewrite <- Nat.add_succ_r, IH. cbn. lia.
  Qed.

  (** ** Judgements: over rows [rows] that are present, where [given] holds. *)
  Definition premise := (list source * term)%type.
  Variable base : env.
  Definition valid (p : premise) : Prop := forall e, In e (choices base (fst p)) -> is_true (mt e (snd p)) = true.
  Definition ap1 o a := Apply o (Tc a Tn).
  Definition ap2 o a b := Apply o (Tc a (Tc b Tn)).
  Definition ap3 o a b c := Apply o (Tc a (Tc b (Tc c Tn))).
  Definition conj2 := ap2 And.
  Definition disj2 := ap2 Or.
  Definition neg := ap1 Not.
  Definition yes := Apply (Lit (Truth true)) Tn.
  Definition no := Apply (Lit (Truth false)) Tn.
  Definition implies (a b : term) := disj2 (neg a) b.
  Definition shift (n : nat) (t : term) := rt (Nat.add n) t.
  Definition shifts (n : nat) (t : terms) := rts (Nat.add n) t.
  Lemma conj2_ok e a b : is_true (mt e (conj2 a b)) = is_true (mt e a) && is_true (mt e b).
  Proof. cbn. now rewrite andb_true_r. Qed.
  Lemma disj2_ok e a b : is_true (mt e (disj2 a b)) = is_true (mt e a) || is_true (mt e b).
  Proof. cbn. now rewrite orb_false_r. Qed.
  Lemma implies_ok e a b : is_true (mt e (implies a b)) = true <-> (is_true (mt e a) = true -> is_true (mt e b) = true).
  Proof. unfold implies. rewrite disj2_ok. cbn. destruct (is_true (mt e a)), (is_true (mt e b)); cbn; intuition congruence. Qed.
  Lemma shift_ok n t e a : (forall i, a (n + i) = e i) -> mt a (shift n t) = mt e t.
  Proof. intros H. now apply rt_ok. Qed.
  Lemma shifts_ok n t e a : (forall i, a (n + i) = e i) -> mts a (shifts n t) = mts e t.
  Proof. intros H. now apply rts_ok. Qed.
  Fixpoint same_terms (h k : terms) : term := match h, k with
    | Tn, Tn => yes | Tc a h, Tc b k => conj2 (ap2 IsSame a b) (same_terms h k) | _, _ => no end.
  Lemma same_terms_ok e h k : is_true (mt e (same_terms h k)) = true <-> mts e h = mts e k.
  Proof.
    revert k; induction h as [|a h IH]; intros [|b k]; cbn [same_terms mts]; try (cbn; intuition congruence).
    rewrite conj2_ok, andb_true_iff, IH. cbn. unfold same. destruct (value_eq_dec (mt e a) (mt e b)); cbn; intuition congruence.
  Qed.
End Meaning.
