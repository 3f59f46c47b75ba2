(** * Slots in any order

    A monomial is a function of its slots, and its index set the product of their bags.  Products may be taken in any order,
    and slots of one bag may change places: what comes out is the same bag.  This is what lets NOAGG relate [map f (A * B)]
    to [map g (B * A)], and gives each group of monomials the same index set. *)
From Tallystick Require Export Monomials.

(** ** Comparing and sorting slots *)
Definition slot_eqb (s t : slot) := name_eqb (fst (fst s)) (fst (fst t)) && ty_eqb (slot_type s) (slot_type t) && Nat.eqb (snd s) (snd t).
Lemma slot_eqb_eq s t : slot_eqb s t = true <-> s = t.
Proof.
  destruct s as [[x k] i], t as [[y u] j]. unfold slot_eqb, slot_type; cbn. rewrite !andb_true_iff, name_eqb_eq, Nat.eqb_eq. split.
  - intros [[-> E] ->]. apply ty_eqb_eq in E. now subst.
  - intros [= -> -> ->]. now rewrite ty_eqb_refl.
Qed.
Lemma slot_eqb_refl s : slot_eqb s s = true.
Proof. now apply slot_eqb_eq. Qed.
Definition slots_eqb (s t : list slot) := list_eqb slot_eqb s t.
Lemma slots_eqb_eq s t : slots_eqb s t = true <-> s = t.
Proof.
  split; [apply list_eqb_eq, Forall_forall; intros; now apply slot_eqb_eq|]. intros <-. unfold slots_eqb.
  induction s; cbn; auto. now rewrite slot_eqb_refl.
Qed.

(** By the bag's name, then by number. *)
Fixpoint name_leb (x y : name) : bool := match x, y with
  | N s, N t => match String.compare s t with Gt => false | _ => true end
  | S b i, S c j => if name_eqb b c then Nat.leb i j else name_leb b c
  | Any i, Any j => Nat.leb i j | Post, Post => true
  | N _, _ => true | _, N _ => false | S _ _, _ => true | _, S _ _ => false | Post, _ => true | _, Post => false | Any _, _ => true | App _ _ _, _ => false end.
Definition slot_leb (s t : slot) :=
  if name_eqb (fst (fst s)) (fst (fst t)) then Nat.leb (snd s) (snd t) else name_leb (fst (fst s)) (fst (fst t)).
Fixpoint insert_slot (s : slot) (l : list slot) : list slot :=
  match l with [] => [s] | t :: r => if slot_leb s t then s :: l else t :: insert_slot s r end.
Definition sort_slots (l : list slot) := fold_right insert_slot [] l.
Lemma insert_slot_perm s l : Permutation (s :: l) (insert_slot s l).
Proof.
  induction l as [|t l IH]; cbn; auto. destruct (slot_leb s t); auto. etransitivity; [apply perm_swap|]. now constructor.
Qed.
Lemma sort_slots_perm l : Permutation l (sort_slots l).
Proof. induction l; cbn; auto. etransitivity; [constructor; apply IHl|apply insert_slot_perm]. Qed.

Fixpoint distinct_slots (l : list slot) : bool := match l with
  | [] => true | s :: l => negb (existsb (slot_eqb s) l) && distinct_slots l end.
Lemma distinct_slots_ok l : distinct_slots l = true -> NoDup l.
Proof.
  induction l as [|s l IH]; cbn; [constructor|]. rewrite andb_true_iff, negb_true_iff. intros [N D]. constructor; auto.
  intros I. rewrite (proj2 (existsb_exists _ _)) in N; [discriminate|]. exists s. split; auto. apply slot_eqb_refl.
Qed.

(** The variables of a term that stand for elements are those of [ss]. *)
Fixpoint covered (ss : list slot) (t : term) : bool :=
  match t with
  | Var (S x i) k => existsb (slot_eqb (x, k, i)) ss
  | Op _ args => forallb (covered ss) args
  | _ => true
  end.
Lemma covered_uses ss t x i u : covered ss t = true -> uses (S x i) u t = true -> existsb (slot_eqb (x, u, i)) ss = true.
Proof.
  intros C U. induction t using term_ind'; cbn in *; try discriminate.
  - apply andb_true_iff in U as [U1 U2]. destruct x0; try discriminate. apply andb_true_iff in U1 as [U1 U3].
    apply name_eqb_eq in U3. apply Nat.eqb_eq in U1. apply ty_eqb_eq in U2. now subst.
  - rewrite andb_false_r in U. cbn [orb] in U. apply existsb_exists in U as (z & Z & U). rewrite forallb_forall in C. rewrite Forall_forall in H. eauto.
Qed.
Lemma covered_in ss t x i u : covered ss t = true -> uses (S x i) u t = true -> In (x, u, i) ss.
Proof.
  intros C U. pose proof (covered_uses _ _ _ _ _ C U) as E. apply existsb_exists in E as (s & I & E). apply slot_eqb_eq in E. now subst.
Qed.
Lemma covered_perm ss ss' t : Permutation ss ss' -> covered ss t = true -> covered ss' t = true.
Proof.
  intros P. induction t using term_ind'; cbn; auto.
  - destruct x; auto. rewrite !existsb_exists. intros (s & I & E). exists s. split; auto. eapply Permutation_in; eauto.
  - rewrite !forallb_forall. rewrite Forall_forall in H. auto.
Qed.

(** ** The value of a slot *)
Definition at_slot (r : env) (s : slot) := r (slot_name s) (slot_type s).
Definition bind_slot (r : env) (s : slot) (v : val) := set r (slot_name s) (slot_type s) v.
Lemma at_bind r s v : at_slot (bind_slot r s v) s = v.
Proof. unfold at_slot, bind_slot, set. now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl. Qed.
Lemma at_bind_other r s t v : s <> t -> at_slot (bind_slot r s v) t = at_slot r t.
Proof.
  intros N. unfold at_slot, bind_slot, set. destruct (name_eqb _ _) eqn:E; auto. destruct (ty_eqb _ _) eqn:F; auto.
  apply name_eqb_eq in E. apply ty_eqb_eq in F. destruct s as [[x k] i], t as [[y u] j]. cbn in *. unfold slot_name, slot_type in *. cbn in *. congruence.
Qed.
Lemma bind_plain r s v y u : is_slot y = false -> bind_slot r s v y u = r y u.
Proof.
  intros Y. unfold bind_slot, set. destruct (name_eqb y (slot_name s)) eqn:E; auto. apply name_eqb_eq in E. subst. discriminate.
Qed.

(** Two environments give the same values to the slots of [ss] and to all that is no slot. *)
Definition alike (ss : list slot) (r r' : env) :=
  (forall y u, is_slot y = false -> r y u = r' y u) /\ forall s, In s ss -> at_slot r s = at_slot r' s.
(** What depends on these values alone. *)
Definition local {A} (ss : list slot) (f : env -> A) := forall r r', alike ss r r' -> f r = f r'.
Lemma meaning_local ss t : covered ss t = true -> local ss (fun r => meaning r t).
Proof.
  intros C r r' [A B]. apply meaning_ext. intros y u U. destruct (is_slot y) eqn:Y; auto. destruct y as [|x i| | |]; try discriminate.
  apply (B (x, u, i)). eapply covered_in; eauto.
Qed.
Lemma out_local ss m : covered ss (present m) = true -> covered ss (result m) = true -> local ss (fun r => out r m).
Proof. intros P V r r' A. unfold out. now rewrite (meaning_local ss _ P r r' A), (meaning_local ss _ V r r' A). Qed.

(** ** The order of slots *)
Definition same_env (r r' : env) := forall y u, r y u = r' y u.
Definition extensional {A} (f : env -> A) := forall r r', same_env r r' -> f r = f r'.
Lemma local_extensional {A} ss (f : env -> A) : local ss f -> extensional f.
Proof. intros L r r' E. apply L. split; intros; apply E. Qed.
Lemma bind_swap r s t v w : s <> t -> same_env (bind_slot (bind_slot r s v) t w) (bind_slot (bind_slot r t w) s v).
Proof.
  intros N y u. unfold bind_slot, set. destruct (name_eqb y (slot_name t) && ty_eqb u (slot_type t)) eqn:T; auto.
  destruct (name_eqb y (slot_name s) && ty_eqb u (slot_type s)) eqn:S; auto. exfalso. apply N.
  apply andb_true_iff in S as [S1 S2], T as [T1 T2]. apply name_eqb_eq in S1, T1. apply ty_eqb_eq in S2, T2.
  destruct s as [[x k] i], t as [[z j] l]. unfold slot_name, slot_type in *. cbn in *. congruence.
Qed.
Lemma assign_cons r0 r s ss :
  assign r0 r (s :: ss) = flat_map (fun v => assign r0 (bind_slot r s v) ss) (elements (r0 (fst (fst s)) (TBag (slot_type s)))).
Proof. reflexivity. Qed.
Lemma assign_ext {A} (f : env -> list A) r0 ss : extensional f ->
  forall r r', same_env r r' -> flat_map f (assign r0 r ss) = flat_map f (assign r0 r' ss).
Proof.
  intros F. induction ss as [|s ss IH]; intros r r' E; [cbn; now rewrite (F r r' E)|].
  rewrite !assign_cons, !flat_map_flat_map. apply flat_map_ext. intros v. apply IH. intros y u. unfold bind_slot, set. now destruct (_ && _).
Qed.
(** The lemma on permuted slots. *)
Theorem assign_perm {A} (f : env -> list A) r0 ss ss' : extensional f -> Permutation ss ss' -> NoDup ss ->
  forall r, Permutation (flat_map f (assign r0 r ss)) (flat_map f (assign r0 r ss')).
Proof.
  intros F P. induction P as [|s l l' P IH|s t l|l1 l2 l3 P1 IH1 P2 IH2]; intros N r; auto.
  - inversion N; subst. rewrite !assign_cons, !flat_map_flat_map. apply flat_map_same. intros v _. now apply IH.
  - rewrite !assign_cons, !flat_map_flat_map.
    assert (D : t <> s) by (inversion N; subst; cbn in *; intuition congruence).
    transitivity (flat_map (fun v => flat_map (fun w => flat_map f (assign r0 (bind_slot (bind_slot r t v) s w) l))
      (elements (r0 (fst (fst s)) (TBag (slot_type s))))) (elements (r0 (fst (fst t)) (TBag (slot_type t))))).
    { apply flat_map_same. intros v _. now rewrite assign_cons, flat_map_flat_map. }
    etransitivity; [apply flat_map_swap|]. apply flat_map_same. intros w _. rewrite assign_cons, flat_map_flat_map.
    apply flat_map_same. intros v _. rewrite (assign_ext f r0 l F _ _ (bind_swap r t s v w D)). reflexivity.
  - etransitivity; [apply IH1; auto|]. apply IH2. eapply Permutation_NoDup; eauto.
Qed.

(** Each choice of elements for the slots is an assignment. *)
Lemma assign_complete r0 ss (w : slot -> val) : NoDup ss ->
  (forall s, In s ss -> In (w s) (elements (r0 (fst (fst s)) (TBag (slot_type s))))) ->
  forall r, exists r', In r' (assign r0 r ss) /\ (forall s, In s ss -> at_slot r' s = w s) /\
    (forall s, ~ In s ss -> at_slot r' s = at_slot r s).
Proof.
  induction ss as [|s ss IH]; intros N H r.
  - exists r. cbn. intuition.
  - inversion N; subst. destruct (IH H3) with (r := bind_slot r s (w s)) as (r' & I & A & B); [intros; apply H; cbn; auto|].
    exists r'. rewrite assign_cons. repeat split.
    + apply in_flat_map. exists (w s). split; auto. apply H; cbn; auto.
    + intros t [<-|T]; auto. rewrite B, at_bind; auto.
    + intros t T. rewrite B by (cbn in T; tauto). apply at_bind_other. cbn in T. tauto.
Qed.
Lemma assign_others r0 ss : forall r r', In r' (assign r0 r ss) -> forall s, ~ In s ss -> at_slot r' s = at_slot r s.
Proof.
  induction ss as [|t ss IH]; intros r r' I s S.
  - destruct I as [<-|[]]; auto.
  - rewrite assign_cons in I. apply in_flat_map in I as (v & _ & I). rewrite (IH _ _ I) by (cbn in S; tauto).
    apply at_bind_other. cbn in S. tauto.
Qed.
Lemma assign_in r0 ss : forall r r', In r' (assign r0 r ss) -> NoDup ss ->
  forall s, In s ss -> In (at_slot r' s) (elements (r0 (fst (fst s)) (TBag (slot_type s)))).
Proof.
  induction ss as [|t ss IH]; intros r r' I N s S; [destruct S|].
  rewrite assign_cons in I. apply in_flat_map in I as (v & V & I). inversion N as [|? ? NI N']; subst. destruct S as [<-|S].
  - rewrite (assign_others _ _ _ _ I t NI), at_bind. exact V.
  - eauto.
Qed.

(** ** Putting slots into the places of others *)

(** [renamed l r] gives each slot of [l] the value of the slot that it is paired with; [put l] does so to a term. *)
Definition place (l : list (slot * slot)) (y : name) (u : ty) : option slot :=
  match find (fun p => name_eqb y (slot_name (fst p)) && ty_eqb u (slot_type (fst p))) l with Some p => Some (snd p) | None => None end.
Definition renamed (l : list (slot * slot)) (r : env) : env := fun y u =>
  match place l y u with Some s => r (slot_name s) u | None => r y u end.
Definition put_slot (l : list (slot * slot)) (t : term) : option term :=
  match t with Var y u => match place l y u with Some s => Some (Var (slot_name s) u) | None => None end | _ => None end.
Definition put (l : list (slot * slot)) : term -> term := substitute (put_slot l).
Definition put_mono (l : list (slot * slot)) (m : mono) := {| slots := slots m; present := put l (present m); result := put l (result m) |}.
Definition typed_places (l : list (slot * slot)) := Forall (fun p => slot_type (fst p) = slot_type (snd p)) l.

Lemma place_slot l s : place l (slot_name s) (slot_type s) = match find (fun p => slot_eqb s (fst p)) l with Some p => Some (snd p) | None => None end.
Proof.
  unfold place. induction l as [|p l IH]; cbn [find]; auto.
  replace (name_eqb (slot_name s) (slot_name (fst p)) && ty_eqb (slot_type s) (slot_type (fst p))) with (slot_eqb s (fst p)).
  - destruct (slot_eqb s (fst p)); auto.
  - destruct s as [[x k] i], p as [[[y u] j] q]. unfold slot_eqb, slot_name, slot_type. cbn. destruct (Nat.eqb i j); cbn; now rewrite ?andb_false_r, ?andb_true_r.
Qed.
Lemma place_in l y u s : place l y u = Some s -> exists t, In (t, s) l /\ y = slot_name t /\ u = slot_type t.
Proof.
  unfold place. destruct (find _ l) as [[t q]|] eqn:F; [|discriminate]. intros [= <-]. apply find_some in F as [I E]. cbn [fst snd] in *.
  apply andb_true_iff in E as [E1 E2]. apply name_eqb_eq in E1. apply ty_eqb_eq in E2. eauto.
Qed.
Lemma renamed_typed l r : typed r -> typed (renamed l r).
Proof. intros R y u. unfold renamed. destruct (place l y u); apply R. Qed.
Lemma renamed_plain l r y u : is_slot y = false -> renamed l r y u = r y u.
Proof. intros Y. unfold renamed. destruct (place l y u) eqn:P; auto. apply place_in in P as (t & _ & -> & _). discriminate. Qed.
Lemma put_ok l r t k : typed r -> typed_places l -> type t = Some k -> type (put l t) = Some k /\ meaning r (put l t) = meaning (renamed l r) t.
Proof.
  intros R L T.
  destruct (substitute_ok (renamed l r) r (put_slot l) (renamed_typed l r R) R) with (t := t) (ce := @None ty) (ca := @None ty) (u := k) as [S1 S2]; auto.
  - intros z w Z. destruct z as [| | |x t0| | |]; try discriminate. cbn in Z. destruct (place l x t0) as [s|] eqn:P; [|discriminate]. inversion Z; subst.
    exists t0. repeat split. unfold meaning; cbn [run in_order]. unfold renamed. now rewrite P.
  - intros y u _ H. destruct (is_app y) eqn:Y; [apply renamed_plain; now destruct y|]. destruct H as [H|]; [|discriminate].
    cbn in H. unfold renamed. destruct (place l y u); [discriminate|auto].
  - split; auto. exact (S2 nothing nothing I I).
Qed.
Lemma out_put l r m t : typed r -> typed_places l -> well t m -> well t (put_mono l m) /\ out r (put_mono l m) = out (renamed l r) m.
Proof.
  intros R L [W1 W2]. destruct (put_ok l r _ _ R L W1) as [A1 A2]. destruct (put_ok l r _ _ R L W2) as [B1 B2].
  split; [split; auto|]. unfold out, put_mono; cbn [present result]. now rewrite A2, B2.
Qed.

(** Slots of one bag may change places. *)
Definition same_bags (s t : slot) := fst s = fst t.
Definition pairs_alike (done : list (slot * slot)) (r1 r2 : env) :=
  (forall y u, is_slot y = false -> r1 y u = r2 y u) /\ Forall (fun p => at_slot r1 (snd p) = at_slot r2 (fst p)) done.
Lemma assign_pairs r0 ss ts : Forall2 same_bags ss ts -> NoDup ss -> NoDup ts ->
  forall done, (forall p, In p done -> ~ In (fst p) ss /\ ~ In (snd p) ts) -> forall r1 r2, pairs_alike done r1 r2 ->
  Forall2 (pairs_alike (combine ss ts ++ done)) (assign r0 r1 ts) (assign r0 r2 ss).
Proof.
  induction 1 as [|s t ss ts B F IH]; intros NS NT done D r1 r2 A.
  - cbn. repeat constructor; apply A.
  - inversion NS; inversion NT; subst. rewrite !assign_cons. unfold same_bags in B. unfold slot_type. rewrite B.
    induction (elements (r0 (fst (fst t)) (TBag (snd (fst t))))) as [|v l IHl]; cbn [flat_map]; [constructor|]. apply Forall2_app; auto.
    enough (Q : Forall2 (pairs_alike (combine ss ts ++ (s, t) :: done)) (assign r0 (bind_slot r1 t v) ts) (assign r0 (bind_slot r2 s v) ss)).
    { clear -Q. induction Q; constructor; auto. destruct H as [H1 H2]. split; auto. cbn.
      eapply Permutation_Forall; [symmetry; apply Permutation_middle|]. exact H2. }
    apply IH; auto.
    + intros p [<-|P]; cbn; [tauto|]. destruct (D p P) as [D1 D2]. cbn in D1, D2. tauto.
    + destruct A as [A1 A2]. split.
      * intros y u Y. rewrite !bind_plain; auto.
      * constructor; cbn [fst snd]; [now rewrite !at_bind|]. apply Forall_forall. intros p P. destruct (D p P) as [D1 D2]. cbn in D1, D2.
        rewrite Forall_forall in A2. rewrite !at_bind_other by intuition. auto.
Qed.
Lemma in_combine_fst {A B} (l : list A) (k : list B) x : List.length l = List.length k -> In x l -> exists y, In (x, y) (combine l k).
Proof.
  revert k; induction l as [|a l IH]; intros [|b k]; cbn; try discriminate; [tauto|]. intros E [<-|I]; [eauto|].
  destruct (IH k) as (y & Y); eauto.
Qed.
Lemma find_combine ss (ts : list slot) s : NoDup ss -> forall t, In (s, t) (combine ss ts) -> find (fun p => slot_eqb s (fst p)) (combine ss ts) = Some (s, t).
Proof.
  intros N. revert ts; induction N as [|x l X N IH]; intros [|y k] t; cbn; try tauto. intros [E|I].
  - inversion E; subst. now rewrite slot_eqb_refl.
  - destruct (slot_eqb s x) eqn:Q; [|now apply IH]. apply slot_eqb_eq in Q. subst. apply in_combine_l in I. tauto.
Qed.
Lemma Forall2_len {A B} (P : A -> B -> Prop) l k : Forall2 P l k -> List.length l = List.length k.
Proof. induction 1; cbn; congruence. Qed.
Theorem rename_slots {A} (f : env -> list A) r0 ss ts : local ss f -> NoDup ss -> Permutation ss ts -> Forall2 same_bags ss ts ->
  forall r, Permutation (flat_map (fun r' => f (renamed (combine ss ts) r')) (assign r0 r ss)) (flat_map f (assign r0 r ss)).
Proof.
  intros L N P B r. assert (NT : NoDup ts) by (eapply Permutation_NoDup; eauto).
  etransitivity.
  - apply (assign_perm _ r0 ss ts); auto. intros r1 r2 E. apply L. split; intros; unfold at_slot, renamed; destruct (place _ _ _); apply E.
  - pose proof (assign_pairs r0 ss ts B N NT [] (fun p (H : In p []) => match H with end) r r) as Q.
    assert (Z : pairs_alike [] r r) by (split; auto). specialize (Q Z). rewrite app_nil_r in Q.
    induction Q as [|r1 r2 l k R Q IH]; cbn [flat_map]; auto. apply Permutation_app; auto. rewrite (L (renamed (combine ss ts) r1) r2); auto.
    destruct R as [R1 R2]. split.
    + intros y u Y. rewrite renamed_plain; auto.
    + intros s S. destruct (in_combine_fst ss ts s (Forall2_len _ _ _ B) S) as (t & T).
      unfold at_slot at 1, renamed. rewrite place_slot, (find_combine _ _ _ N _ T). cbn [snd].
      rewrite Forall_forall in R2. specialize (R2 _ T). cbn [fst snd] in R2. rewrite <- R2.
      unfold at_slot. f_equal. clear -B T. revert T. induction B as [|a b l k E B IH]; cbn; [tauto|]. intros [Q|I]; auto.
      inversion Q; subst. unfold same_bags in E. unfold slot_type. now rewrite E.
Qed.

(** ** The arrangements of slots *)

(** All ways to put the slots of [available] into the places of [pattern], each into the place of one of its bag; in the
    lexicographic order of places. *)
Fixpoint picks {A} (l : list A) : list (A * list A) :=
  match l with [] => [] | x :: l => (x, l) :: map (fun p => (fst p, x :: snd p)) (picks l) end.
Definition same_bagb (s t : slot) := name_eqb (fst (fst s)) (fst (fst t)) && ty_eqb (slot_type s) (slot_type t).
Fixpoint arrangements (pattern available : list slot) : list (list slot) :=
  match pattern with
  | [] => match available with [] => [[]] | _ => [] end
  | p :: pattern => flat_map (fun sr => if same_bagb p (fst sr) then map (cons (fst sr)) (arrangements pattern (snd sr)) else []) (picks available)
  end.
Lemma same_bagb_eq s t : same_bagb s t = true <-> same_bags s t.
Proof.
  unfold same_bagb, same_bags, slot_type. destruct s as [[x k] i], t as [[y u] j]; cbn. rewrite andb_true_iff, name_eqb_eq. split.
  - intros [-> E]. apply ty_eqb_eq in E. congruence.
  - intros [= -> ->]. now rewrite ty_eqb_refl.
Qed.
Lemma picks_in {A} (x : A) k l : In (x, k) (picks l) -> Permutation l (x :: k).
Proof.
  revert k; induction l as [|y l IH]; cbn; [tauto|]. intros k [[= -> ->]|I]; auto. apply in_map_iff in I as ([z j] & [= -> <-] & I).
  etransitivity; [constructor; apply (IH _ I)|apply perm_swap].
Qed.
Lemma picks_all {A} (x : A) l : In x l -> exists k, In (x, k) (picks l).
Proof.
  induction l as [|y l IH]; cbn; [tauto|]. intros [<-|I]; [eauto|]. destruct (IH I) as (k & K). exists (y :: k). right.
  apply in_map_iff. now exists (x, k).
Qed.
Lemma picks_nodup {A} (l : list A) : NoDup l -> NoDup (map fst (picks l)).
Proof.
  assert (E : map fst (picks l) = l) by (induction l as [|x k IH]; cbn; auto; rewrite map_map; cbn [fst]; change (fun p : A * list A => fst p) with (@fst A (list A)); now rewrite IH).
  now rewrite E.
Qed.
Lemma arrangements_spec pattern : forall available ts,
  In ts (arrangements pattern available) <-> Permutation available ts /\ Forall2 same_bags pattern ts.
Proof.
  induction pattern as [|p pattern IH]; intros available ts; cbn.
  - split.
    + destruct available; [|intros []]. intros [<-|[]]. auto.
    + intros [P F]. inversion F; subst. apply Permutation_sym, Permutation_nil in P. subst. cbn. auto.
  - rewrite in_flat_map. split.
    + intros ([s k] & K & I). cbn [fst snd] in I. destruct (same_bagb p s) eqn:E; [|destruct I]. apply same_bagb_eq in E.
      apply in_map_iff in I as (us & <- & U). apply IH in U as [U1 U2]. split; [|constructor; auto].
      etransitivity; [apply picks_in; eauto|]. now constructor.
    + intros [P F]. inversion F as [|? s ? us B F']; subst. assert (I : In s available) by (eapply Permutation_in; [symmetry; eauto|cbn; auto]).
      destruct (picks_all s available I) as (k & K). exists (s, k). split; auto. cbn [fst snd]. rewrite (proj2 (same_bagb_eq p s) B).
      apply in_map. apply IH. split; auto. apply (Permutation_cons_inv (a := s)). etransitivity; [symmetry; apply picks_in; eauto|exact P].
Qed.
Lemma flat_map_nodup {A B} (f : A -> list B) l : NoDup l -> (forall x, In x l -> NoDup (f x)) ->
  (forall x y b, In x l -> In y l -> In b (f x) -> In b (f y) -> x = y) -> NoDup (flat_map f l).
Proof.
  induction 1 as [|x l X N IH]; cbn; intros F D; [constructor|]. 
  assert (A1 : NoDup (flat_map f l)) by (apply IH; auto; intros; eapply D; eauto).
  assert (A2 : NoDup (f x)) by auto.
  assert (A3 : forall b, In b (f x) -> ~ In b (flat_map f l)).
  { intros b I J. apply in_flat_map in J as (y & Y & J). assert (x = y) by eauto. subst. tauto. }
  clear -A1 A2 A3. induction A2; cbn; auto. constructor.
  - rewrite in_app_iff. intros [I|I]; [tauto|]. apply (A3 x0); cbn; auto.
  - apply IHA2. intros; apply A3; cbn; auto.
Qed.
Lemma nodup_fst {A B} (l : list (A * B)) a x y : NoDup (map fst l) -> In (a, x) l -> In (a, y) l -> x = y.
Proof.
  induction l as [|[b z] l IH]; cbn; [tauto|]. intros N. inversion N; subst.
  intros [E|I] [F|J]; auto; try (inversion E; subst); try (inversion F; subst); auto; exfalso.
  - apply (in_map fst) in J. tauto.
  - apply (in_map fst) in I. tauto.
Qed.
Lemma arrangements_nodup pattern : forall available, NoDup available -> NoDup (arrangements pattern available).
Proof.
  induction pattern as [|p pattern IH]; intros available N; cbn.
  - destruct available; repeat constructor; auto.
  - pose proof (picks_nodup available N) as NP. apply flat_map_nodup.
    + now apply NoDup_map_inv in NP.
    + intros [s k] K. cbn [fst snd]. destruct (same_bagb p s); [|constructor]. apply FinFun.Injective_map_NoDup; [intros x y E; congruence|].
      apply IH. apply picks_in in K. assert (NK : NoDup (s :: k)) by (eapply Permutation_NoDup; eauto). now inversion NK.
    + intros [s k] [t j] b K J I1 I2. cbn [fst snd] in *. destruct (same_bagb p s); [|destruct I1]. destruct (same_bagb p t); [|destruct I2].
      apply in_map_iff in I1 as (u1 & <- & _). apply in_map_iff in I2 as (u2 & E & _). inversion E; subst.
      f_equal. eapply nodup_fst; eauto.
Qed.
